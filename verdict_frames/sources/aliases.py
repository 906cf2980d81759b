"""Names that variants were given later: an old name stands for the one that the variant has today."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from verdict_frames.errors import ArgumentError, OptionError, one_line

_NONE: Final[Mapping[str, str]] = MappingProxyType({})


def read_aliases(aliases: object) -> Mapping[str, str]:
    """Check the aliases that a caller gives.

    Two old names may have the same new one: then their runs are of one variant. Each name is looked up once, so a new
    name that is an old one as well is refused. An alias that no run has does nothing.

    Args:
        aliases: Old name → new name; null for none.

    Raises:
        ArgumentError: They are no mapping of text to text.
        OptionError: A name is blank, or a new name is the old one of another alias.

    Examples:
        >>> dict(read_aliases({"hardened+sae": "hardened+preanalysis"}))
        {'hardened+sae': 'hardened+preanalysis'}
    """
    if aliases is None:
        return _NONE
    if not isinstance(aliases, Mapping):
        message = f"aliases are a mapping such as {{'old-name': 'new-name'}}, not {type(aliases).__name__}"
        raise ArgumentError(message)
    for old, new in aliases.items():
        for name in (old, new):
            if not isinstance(name, str):
                message = f"an alias maps a text to a text, such as 'old-name' to 'new-name', not {one_line(name)}"
                raise ArgumentError(message)
            if not name.strip():
                message = f"the alias {one_line(old)} → {one_line(new)} has a blank name; a variant has a name"
                raise OptionError(message)
    for old, new in aliases.items():
        if old != new and aliases.get(new, new) != new:
            further = one_line(aliases[new])
            message = (
                f"the alias {one_line(old)} → {one_line(new)} leads on to {further}; give every old name the name that"
                " it has today"
            )
            raise OptionError(message)
    return dict(aliases)

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pandas as pd
import pyarrow as pa

from tests.frames.storage.corpora import full_corpus
from verdict_frames.errors import MissingPackageError
from verdict_frames.frames.schemas.tables import TABLES

ROOT = Path(__file__).parents[2]


def test_null_stays_null_and_types_stay_types() -> None:
    corpus = full_corpus()
    tables = corpus.to_pandas()
    assert list(tables) == list(TABLES)
    for name, frame in corpus.tables().items():
        nulls = {column: int(count) for column, count in tables[name].isna().sum().items()}
        assert nulls == frame.null_count().row(0, named=True)
        assert all(isinstance(dtype, pd.ArrowDtype) for dtype in tables[name].dtypes)
    items = tables["items"]
    assert items["success"].dtype == pd.ArrowDtype(pa.bool_())
    assert items["total_tokens"].dtype == pd.ArrowDtype(pa.int64())
    assert items["passed"].tolist()[0] is False
    assert items["passed"].isna().tolist() == [False, True, True]
    assert items["reading"].tolist()[:2] == ["REJECTED", "UNDECIDED"]
    assert pa.types.is_large_string(items["reading"].dtype.pyarrow_dtype)


WITHOUT_PANDAS = """
from importlib.machinery import PathFinder

find = PathFinder.find_spec
PathFinder.find_spec = lambda name, *others: None if name == "pandas" else find(name, *others)

import verdict_frames as vf

try:
    vf.concat([]).to_pandas()
except vf.VerdictFramesError as error:
    print(type(error).__name__, error)
"""


def test_without_pandas_it_says_how_to_get_it() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT_PANDAS], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == (
        "MissingPackageError to_pandas needs pandas, which isn't installed; pip install 'verdict-frames[pandas]'\n"
    )
    assert issubclass(MissingPackageError, ImportError)

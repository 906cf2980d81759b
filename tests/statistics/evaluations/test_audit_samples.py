from __future__ import annotations

import pytest

from tests.statistics.evaluations.judged_tickets import FLOOR, PACK, stored
from verdict_frames.errors import ColumnError, OptionError
from verdict_frames.frames.evaluation_assembly import evaluations_from_records
from verdict_frames.statistics.evaluations.audit_samples import audit_sample
from verdict_frames.statistics.evaluations.sweeps import sweep

ROWS = [stored(0.9, modelId="m", ticketId=f"m{n}") for n in range(90)]
ROWS += [stored(0.9, modelId="n", ticketId=f"n{n}") for n in range(6)]
ROWS += [stored(0.1, modelId="m")] * 50


def test_only_accepted_ones_are_drawn_each_at_most_once() -> None:
    evaluations = evaluations_from_records(ROWS)
    drawn = audit_sample(evaluations, 12, seed=1)
    assert drawn.height == drawn["ticket_id"].n_unique() == 12
    assert drawn["evaluation_index"].to_list() == sorted(drawn["evaluation_index"])
    assert set(drawn["evaluation_index"]) <= set(range(96))
    assert set(drawn["weight"]) == {96 / 12}
    assert audit_sample(evaluations, 12, seed=1).equals(drawn)
    assert not audit_sample(evaluations, 12, seed=2).equals(drawn)


def test_groups_are_drawn_from_apart_and_weigh_what_they_stand_for() -> None:
    drawn = audit_sample(evaluations_from_records(ROWS), 10, by="model_id")
    assert drawn.columns == [
        "evaluation_index",
        "evaluation_id",
        "ticket_id",
        "idempotency_key",
        "model_id",
        "stratum_size",
        "drawn",
        "weight",
    ]
    groups = drawn.select("model_id", "stratum_size", "drawn", "weight").unique().sort("model_id").rows()
    assert groups == [("m", 90, 10, 9.0), ("n", 6, 6, 1.0)]
    assert drawn["weight"].sum() == 96


def test_labels_made_of_a_sample_can_be_swept() -> None:
    evaluations = evaluations_from_records(ROWS)
    drawn = audit_sample(evaluations, 10, by="model_id")
    labels = drawn.select("evaluation_index", "weight", question_id="model_id", gold="model_id")
    labels = labels.with_columns(question_id=labels["gold"].str.replace_all(".*", "queue"), gold=labels["gold"])
    row = sweep(evaluations, PACK, FLOOR, labels=labels).at([0.5]).row(0, named=True)
    assert (row["accepted"], row["checked"], row["wrong"], row["error_rate"]) == (96, 16, 16, 1.0)


def test_nothing_accepted_draws_nothing_and_wrong_calls_are_refused() -> None:
    assert audit_sample(evaluations_from_records([stored(0.1)]), 3).is_empty()
    with pytest.raises(OptionError, match="n is how many to draw"):
        audit_sample(evaluations_from_records(ROWS), 0)
    with pytest.raises(ColumnError, match="no column 'variant'"):
        audit_sample(evaluations_from_records(ROWS), 1, by="variant")

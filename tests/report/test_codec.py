"""A report that was saved is the report that is read, and a file that is none says so."""

from pathlib import Path

import msgspec
import pytest
from IPython.lib.pretty import pretty

from skyline_jupyter.errors import ReportError
from skyline_jupyter.findings import advise
from skyline_jupyter.report.breakdown import MODULE
from skyline_jupyter.report.model import Check, Report, load_report
from skyline_jupyter.source.model import Site
from tests.breakdowns import Branch, breakdown
from tests.reports import MIB, report, sample


def full_report() -> Report:
    """One in which nothing is left out."""
    samples = [sample(32, 0.016, peak_bytes=132 * MIB, warnings=("odd",)), sample(64, 0.03, workspace_bytes=7)]
    fields = {name: sample_value(kind) for name, kind in Site.__annotations__.items()}
    made = report(
        samples,
        checks=(Check(batch_size=96, predicted_step_seconds=0.05, measured_step_seconds=0.06),),
        site=msgspec.convert(fields, Site),
        site_reason=None,
        site_candidates=(),
        warnings=("Step times varied.",),
    )
    return msgspec.structs.replace(made, findings=advise(made))


def sample_value(kind: object) -> object:
    """Any value of a field of a site."""
    return 64 if "int" in str(kind) else "batch_size = 64 # größer"


def test_what_is_saved_is_read(tmp_path: Path) -> None:
    made = full_report()
    made.save(tmp_path / "report.json")
    assert load_report(tmp_path / "report.json") == made
    assert load_report(str(tmp_path / "report.json")).to_json() == made.to_json()


def test_the_file_is_plain_json_with_the_names_of_the_fields() -> None:
    plain = msgspec.json.decode(full_report().to_json())
    assert plain["version"] == 3
    assert plain["samples"][0]["batch_size"] == 32
    assert plain["limit"] == {
        "limit_bytes": 12 * 2**30,
        "others_bytes": 2 * 2**30,
        "process_bytes": 2**30,
        "fragmentation_bytes": 0,
        "margin_bytes": 2**30,
        "budget": False,
    }


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "Input data was truncated"),
        (b"{", "Input data was truncated"),
        (b"[]", "Expected `object`, got `array`"),
        (b'{"version": 1}', "missing required field `id`"),
        (b"\x89PNG", "JSON is malformed"),
    ],
)
def test_a_file_that_is_no_report_says_what_is_wrong_and_what_to_do(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "report.json"
    path.write_bytes(content)
    with pytest.raises(ReportError) as caught:
        load_report(path)
    message = str(caught.value)
    assert message.startswith(f"{path} cannot be read as a report: ")
    assert said in message
    assert message.endswith("Save it again with report.save(path).")


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ReportError, match=r"nowhere\.json"):
        load_report(tmp_path / "nowhere.json")


def test_a_report_of_another_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    msgspec.structs.replace(full_report(), version=4).save(path)
    with pytest.raises(ReportError, match="version 4, and this Skyline reads version 3"):
        load_report(path)


def test_a_report_from_before_there_was_a_breakdown_is_read(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    plain = msgspec.json.decode(full_report().to_json())
    del plain["breakdown"]
    path.write_bytes(msgspec.json.encode({**plain, "version": 1}))
    assert load_report(path) == full_report()


def test_a_report_from_of_version_2_is_read(tmp_path: Path) -> None:
    made = msgspec.structs.replace(full_report(), breakdown_columns=breakdown([Branch(MODULE, "net", (), 1.5, 2.25)]))
    path = tmp_path / "report.json"
    plain = msgspec.json.decode(made.to_json())
    nodes = plain["breakdown"]["nodes"]
    del nodes["class_name"], plain["breakdown"]["ticks_per_second"]
    for way in ("forward", "backward"):
        nodes[f"{way}_seconds"] = [ticks / 10**9 for ticks in nodes.pop(f"{way}_ticks")]
    path.write_bytes(msgspec.json.encode({**plain, "version": 2}))
    assert load_report(path) == made


def test_a_report_from_before_a_first_look_was_counted_is_read(tmp_path: Path) -> None:
    made = full_report()
    plain = msgspec.json.decode(made.to_json())
    del plain["cost"]["first_look_seconds"]
    (tmp_path / "old.json").write_bytes(msgspec.json.encode(plain))
    assert load_report(tmp_path / "old.json") == made


def test_a_report_answers_from_its_curves() -> None:
    made = full_report()
    assert made.limit_bytes == 12 * 2**30
    assert made.samples[0].throughput == 2000.0
    peak = made.curves.peak_bytes(64)
    assert peak is not None
    assert peak.value == 164 * MIB


def test_as_a_value_of_a_cell_a_report_shows_its_text() -> None:
    made = full_report()
    assert str(made) == pretty(made) == made.text()

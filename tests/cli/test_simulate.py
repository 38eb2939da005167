"""``mingpai simulate``: seeded games into files."""

from __future__ import annotations

from pathlib import Path

import pytest

from replays.variants import rulebook
from service.simulator import SCENARIOS
from tests.cli.logs import json_lines, mingpai


def simulate(out: Path, *arguments: str) -> tuple[str, ...]:
    return ("simulate", "--ruleset", "xiamen", "--out", str(out), *arguments)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_games_are_written_counted_and_clean(tmp_path: Path) -> None:
    done = mingpai(*simulate(tmp_path / "a", "--games", "3", "--seed", "7", "--hands", "2", "--format", "json"))
    (sums,) = json_lines(done.stdout)
    assert (done.exit_code, done.stderr) == (0, "")
    assert (sums["games"], sums["hands"]) == (3, 6)
    assert sum(sums["wins"].values()) == 6
    assert list(sums["wins"]) == [*rulebook("xiamen", "1", {}).wins, "exhausted", "voided"]
    files = sorted((tmp_path / "a").iterdir())
    audits = json_lines(mingpai("audit", "--format", "json", *files).stdout)
    assert [audit["verdict"] for audit in audits] == ["clean"] * 3
    assert sum(audit["events"] for audit in audits) == sums["events"]
    won = [hand["win"] for audit in audits for hand in audit["hands"]]
    assert {way: won.count(way) for way in won if way} == {
        way: times for way, times in sums["wins"].items() if times and way != "exhausted"
    }


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    for name, seed in (("a", "7"), ("b", "7"), ("c", "8")):
        assert mingpai(*simulate(tmp_path / name, "--seed", seed, "--hands", "1")).exit_code == 0
    a, b, c = (contents(tmp_path / name) for name in "abc")
    assert a == b
    assert set(a).isdisjoint(c)


@pytest.mark.parametrize(("lang", "word"), [("en", "triple you"), ("zh-Hans", "双游"), ("zh-Hant", "雙游")])
def test_the_counts_name_every_way_to_win(tmp_path: Path, lang: str, word: str) -> None:
    text = mingpai(*simulate(tmp_path, "--seed", "7", "--hands", "1", "--lang", lang)).stdout
    assert word in text
    assert len(text.splitlines()) == 1 + len(rulebook("xiamen", "1", {}).wins) + 2


def test_options_are_the_games(tmp_path: Path) -> None:
    assert mingpai(*simulate(tmp_path, "--seed", "7", "--hands", "1", "--option", "dead_wall=20")).exit_code == 0
    (text,) = contents(tmp_path).values()
    assert b'"options": {"dead_wall": 20}' in text or b'"options":{"dead_wall":20}' in text


def test_players_are_the_games(tmp_path: Path) -> None:
    for players in (2, 3):
        out = tmp_path / str(players)
        call = (
            "simulate",
            "--ruleset",
            "longyan",
            "--out",
            str(out),
            "--seed",
            "7",
            "--hands",
            "1",
            "--option",
            "mode=full",
        )
        assert mingpai(*call, "--players", str(players)).exit_code == 0
        (path,) = out.iterdir()
        (audited,) = json_lines(mingpai("audit", "--format", "json", path).stdout)
        assert (audited["verdict"], len(audited["scores"])) == ("clean", players)


def test_a_scenario_of_each_rule_set(tmp_path: Path) -> None:
    for ruleset in sorted({scene.ruleset for scene in SCENARIOS.values()}):
        name = next(name for name, scene in SCENARIOS.items() if scene.ruleset == ruleset)
        call = ("simulate", "--ruleset", ruleset, "--out", str(tmp_path), "--seed", "1", "--scenario", name)
        assert mingpai(*call).exit_code == 0
        assert (tmp_path / f"{ruleset}-1-{name}.paipu.jsonl").exists()


def test_a_scenario(tmp_path: Path) -> None:
    name = next(name for name, scene in SCENARIOS.items() if scene.win == "three_golds")
    done = mingpai(*simulate(tmp_path, "--seed", "1", "--games", "2", "--scenario", name, "--format", "json"))
    (sums,) = json_lines(done.stdout)
    assert (done.exit_code, sums["games"], sums["wins"]["three_golds"] >= 2) == (0, 2, True)
    assert len(contents(tmp_path)) == 2


def test_the_list_of_scenarios() -> None:
    listed = json_lines(mingpai("simulate", "--scenario", "list", "--format", "json").stdout)
    assert [row["scenario"] for row in listed] == list(SCENARIOS)
    text = mingpai("simulate", "--scenario", "list", "--ruleset", "xiamen").stdout
    assert len(text.splitlines()) == sum(scene.ruleset == "xiamen" for scene in SCENARIOS.values())


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--seed", "1", "--games", "0"], "--games"),
        (["--seed", "x"], "--seed"),
        (["--seed", "-1"], "--seed"),
        ([], "--seed"),
        (["--seed", "1", "--hands", "0"], "--hands"),
        (["--seed", "1", "--option", "odd=1"], "no option 'odd'"),
        (["--seed", "1", "--ruleset", "nowhere"], "no rule set 'nowhere'"),
        (["--seed", "1", "--scenario", "nothing"], "no scenario nothing of rule set xiamen"),
        (["--seed", "1", "--scenario", "self-draw", "--hands", "3"], "a scenario has its own hands"),
        (["--seed", "1", "--scenario", "self-draw", "--players", "4"], "a scenario has its own hands, players"),
        (["--seed", "1", "--scenario", "half-self-draw"], "no scenario half-self-draw of rule set xiamen"),
        (["--seed", "1", "--players", "3"], "not for 3 players, but for 4"),
        (["--seed", "1", "--players", "x"], "--players"),
        (["--seed", "1", "--odd"], "--odd"),
    ],
)
def test_a_wrong_call(tmp_path: Path, arguments: list[str], expected: str) -> None:
    done = mingpai(*simulate(tmp_path / "out", *arguments))
    assert (done.exit_code, done.stdout) == (2, "")
    assert expected in done.stderr
    assert not (tmp_path / "out").exists()


def test_files_of_others_are_not_overwritten(tmp_path: Path) -> None:
    assert mingpai(*simulate(tmp_path, "--seed", "7", "--hands", "1")).exit_code == 0
    (path,) = tmp_path.iterdir()
    path.write_text("mine")
    done = mingpai(*simulate(tmp_path, "--seed", "7", "--hands", "1"))
    assert (done.exit_code, path.read_text()) == (2, "mine")
    assert "holds something else" in done.stderr


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = mingpai(*simulate(tmp_path / "file" / "out", "--seed", "7", "--hands", "1"))
    assert done.exit_code == 2
    assert "cannot be written" in done.stderr

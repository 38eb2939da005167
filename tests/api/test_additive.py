"""A change of the GraphQL schema only adds to it: what clients were told stays."""

from __future__ import annotations

from pathlib import Path

import pytest
from graphql import build_schema, find_breaking_changes, parse

from schema.graphql import SDL_PATH
from tools.sdl_check import main, refused

#: The SDL that was released last.
BASELINE = Path(__file__).parents[1] / "data" / "schema-baseline.graphql"

OLD = '''
"""What there is."""
type Query {
  game(id: String!, lang: String = "en", verbose: Boolean @deprecated(reason: "always"), depth: Int): Game
  games: [Game!]! @deprecated(reason: "use game")
}
type Game { id: ID! name: String score: Int! kind: Kind! old: Int @deprecated(reason: "no use") }
type Other { id: ID! }
enum Kind { ONE TWO GONE @deprecated(reason: "never given") }
union Found = Game | Other
input Filter { name: String kind: Kind @deprecated(reason: "no use") size: Int }
'''


def changed(*edits: tuple[str, str]) -> str:
    text = OLD
    for before, after in edits:
        assert before in text
        text = text.replace(before, after)
    return text


def told(*edits: tuple[str, str]) -> list[str]:
    return refused(parse(OLD), parse(changed(*edits)))


def test_the_schema_only_adds_to_what_was_released() -> None:
    old, new = (parse(path.read_text(encoding="utf-8")) for path in (BASELINE, SDL_PATH))
    assert refused(old, new) == [], "see CONTRIBUTING.md, The GraphQL schema"


@pytest.mark.parametrize(
    "edit",
    [
        ("score: Int!", "score: Int! points: Int!"),
        ("ID! name: String ", "ID! name: String! "),
        ("enum Kind { ONE", "enum Kind { ONE THREE"),
        ("union Found = Game", "union Found = Query | Game"),
        ("depth: Int)", "depth: Int, width: Int)"),
        ("input Filter { name: String", "input Filter { name: String colour: String"),
        ("score: Int!", 'score: Int! @deprecated(reason: "use points")'),
        ('"""What there is."""', '"""What may be asked."""'),
        ("type Other", "type Another { id: ID! } type Other"),
    ],
)
def test_additions(edit: tuple[str, str]) -> None:
    assert told(edit) == []


@pytest.mark.parametrize(
    ("edit", "place"),
    [
        (("name: String score", "score"), "Game.name"),
        (("score: Int!", "score: Int"), "Game.score"),
        (("depth: Int)", ")"), "depth"),
        (("depth: Int)", "depth: Int!)"), "depth"),
        (('lang: String = "en"', 'lang: String = "zh"'), "lang"),
        (("depth: Int)", "depth: Int, width: Int!)"), "width"),
        (("ONE TWO", "ONE"), "TWO"),
        (("Game | Other", "Game"), "Found"),
        (("size: Int }", "}"), "Filter.size"),
        (("size: Int }", "size: Int need: Int! }"), "Filter.need"),
        (("name: String kind: Kind", "kind: Kind"), "Filter.name"),
    ],
)
def test_what_is_no_addition(edit: tuple[str, str], place: str) -> None:
    assert [place in line for line in told(edit)] == [True], told(edit)


@pytest.mark.parametrize(
    "edit",
    [
        ('  games: [Game!]! @deprecated(reason: "use game")\n', ""),
        (', verbose: Boolean @deprecated(reason: "always")', ""),
        (' GONE @deprecated(reason: "never given")', ""),
        (' old: Int @deprecated(reason: "no use")', ""),
        (' kind: Kind @deprecated(reason: "no use")', ""),
    ],
)
def test_what_was_deprecated_may_go(edit: tuple[str, str]) -> None:
    assert find_breaking_changes(build_schema(OLD), build_schema(changed(edit))), "else this shows nothing"
    assert told(edit) == []


def test_what_is_deprecated_and_changed_is_no_addition() -> None:
    """It may go, but whoever still asks for it must get what it was."""
    assert len(told(('old: Int @deprecated(reason: "no use")', "old: String"))) == 1


def test_what_goes_with_its_deprecated_field() -> None:
    """An argument is not missed where its whole field was withdrawn."""
    old = OLD.replace("games: [Game!]!", "games(first: Int): [Game!]!")
    new = OLD.replace('  games: [Game!]! @deprecated(reason: "use game")\n', "")
    assert refused(parse(old), parse(new)) == []


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old, new, bad = tmp_path / "old.graphql", tmp_path / "new.graphql", tmp_path / "bad.graphql"
    old.write_text(OLD)
    new.write_text(changed(("name: String score", "score")))
    bad.write_text("type {")
    assert main([str(old), str(old)]) == 0
    assert main([str(old), str(new)]) == 1
    assert "Game.name" in capsys.readouterr().out
    assert main([str(new), str(old)]) == 0
    assert main([str(old), str(bad)]) == 2
    assert main([str(old), str(tmp_path / "none")]) == 2
    assert capsys.readouterr().err.count("error: ") == 2

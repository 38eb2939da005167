"""The pages' words, documents and modules as they lie in the folder: whole, of their language, used, and harmless."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from graphql import OperationDefinitionNode, parse

from schema.graphql.operations import Operations
from service.web.assets import assets, words
from service.web.pages import PAGES, Page

WEB = Path(__file__).resolve().parents[2] / "service/web"
STATIC = WEB / "static"
MODULES = sorted(path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*.js"))
DOCUMENTS = sorted(path.stem for path in (WEB / "documents").glob("*.graphql"))
AREAS = {path.stem: json.loads(path.read_bytes()) for path in sorted((WEB / "words").glob("*.json"))}
ROWS = [(f"{area}.{key}", row) for area, rows in AREAS.items() for key, row in rows.items()]

#: Keys that no module spells out though they are used, as prefixes: of those that come from elsewhere as a whole.
COMPUTED: tuple[str, ...] = ()

#: What writes markup, styles or programs out of text.
FORBIDDEN = (
    "innerHTML outerHTML insertAdjacentHTML document.write createContextualFragment DOMParser setHTMLUnsafe srcdoc "
    'eval( Function( setTimeout(" setInterval(" setAttribute("style"'
).split()

#: Words of one side of the strait that the other has another word for; in the characters of the other.
MAINLAND = (
    "服務器 登錄 默認 信息 網絡 屏幕 鏈接 搜索 數據 用戶 打印 粘貼 加載 代碼 鼠標 視頻 界面 軟件 硬盤 質量".split()
)
TAIWANESE = "伺服器 登入 登出 萤幕 网路 滑鼠 档案 列印 程式 搜寻 资讯 软体 贴上".split()


def code(module: str) -> str:
    """A module's text without its comments."""
    text = (STATIC / module).read_text(encoding="utf-8")
    return re.sub(r"/\*.*?\*/|(?<![^\s;{}(),])//[^\n]*", "", text, flags=re.DOTALL)


CODE = {module: code(module) for module in MODULES}


def spelt(text: str) -> set[str]:
    """The texts in a module that look like a key of words: an area there is, a dot, and a name."""
    return {found for found in re.findall(r'"(\w+\.[\w.-]*)"', text) if found.partition(".")[0] in AREAS}


def begun(text: str) -> set[str]:
    """The beginnings of keys that a module computes."""
    found = {*re.findall(r"`(\w+\.[\w.-]*)\$\{", text), *(key for key in spelt(text) if not is_key(key))}
    return {key for key in found if key.partition(".")[0] in AREAS}


def is_key(text: str) -> bool:
    """Whether a text is a whole key rather than the beginning of one."""
    return not text.endswith((".", "_"))


def imports(module: str) -> Iterator[str]:
    """What a module imports, as it says it."""
    text = CODE[module]
    yield from re.findall(r"""^(?:import\b|export\b[^;"'=(]*?\bfrom\b)[^;"'(]*["']([^"']+)["']""", text, re.MULTILINE)
    yield from re.findall(r"""\bimport\(\s*["'`]([^"'`]+)["'`]""", text)


# -- Words -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("area", AREAS)
def test_every_row_has_three_texts(area: str) -> None:
    assert [key for key, row in AREAS[area].items() if len(row) != 3 or not all(text.strip() for text in row)] == []


@pytest.mark.parametrize("area", AREAS)
def test_every_language_has_the_same_places(area: str) -> None:
    def places(text: str) -> set[str]:
        return set(re.findall(r"\{(\w+)\}", text))

    wrong = [key for key, row in AREAS[area].items() if len({frozenset(places(text)) for text in row}) != 1]
    assert wrong == []


@pytest.mark.parametrize("area", AREAS)
def test_one_is_told_from_many_where_english_does(area: str) -> None:
    """Chinese need not; where it does, for the same counts."""
    forms = {key: [text.count("|") for text in row] for key, row in AREAS[area].items()}
    assert [key for key, (english, *others) in forms.items() if english > 1 or max(others) > english] == []


@pytest.mark.parametrize("area", AREAS)
def test_braces_are_places(area: str) -> None:
    left = [key for key, row in AREAS[area].items() if re.search(r"[{}]", re.sub(r"\{\w+\}", "", "".join(row)))]
    assert left == []


@pytest.mark.parametrize("area", AREAS)
def test_characters_are_those_of_the_language(area: str) -> None:
    """The old national character sets know simplified or traditional characters only, not both."""
    for key, (english, simplified, traditional) in AREAS[area].items():
        assert not re.search(r"[\u3000-\u9fff\uff00-\uffef]", english.replace("明牌", "")), key
        for text, charset in ((simplified, "gb2312"), (traditional, "big5")):
            strange = [one for one in re.findall(r"[\u3400-\u9fff]", text) if not _is_in(one, charset)]
            assert strange == [], key


def _is_in(character: str, charset: str) -> bool:
    try:
        character.encode(charset)
    except UnicodeEncodeError:
        return False
    return True


@pytest.mark.parametrize("area", AREAS)
def test_vocabulary_is_that_of_the_language(area: str) -> None:
    """Traditional characters alone make no text for Taiwan: a server is 伺服器 there, and 服务器 in simplified ones."""
    for key, (_, simplified, traditional) in AREAS[area].items():
        assert [word for word in MAINLAND if word in traditional] == [], key
        assert [word for word in TAIWANESE if word in simplified] == [], key


@pytest.mark.parametrize("module", MODULES)
def test_every_key_has_words(module: str) -> None:
    known = {key for key, _ in ROWS}
    assert {key for key in spelt(CODE[module]) if is_key(key)} - known == set()
    assert [start for start in begun(CODE[module]) if not any(key.startswith(start) for key in known)] == []
    groups = set(re.findall(r'\bterm\(\s*"(\w+)"', CODE[module]))
    assert groups <= {key.partition(".")[0] for key in words()["terms"]}


@pytest.mark.parametrize("area", AREAS)
def test_every_row_is_used(area: str) -> None:
    keys = {key for text in CODE.values() for key in spelt(text)}
    starts = (*{start for text in CODE.values() for start in begun(text)}, *COMPUTED)
    assert [
        key for key in (f"{area}.{name}" for name in AREAS[area]) if key not in keys and not key.startswith(starts)
    ] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.path)
def test_a_page_loads_the_words_that_it_shows(page: Page) -> None:
    texts = [CODE[module] for module in assets().modules(f"pages/{page.name}.js") if module in CODE]
    shown = {key.partition(".")[0] for text in texts for key in (*spelt(text), *begun(text))}
    lists = [found for text in texts for found in re.findall(r"(?:\bareas:\s*\[|\bAREAS = \[|\bload\()([^\])]*)", text)]
    loaded = {name for found in lists for name in re.findall(r'"(\w+)"', found)}
    assert shown - loaded - {"common"} == set()


# -- Documents -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_document_is_one_operation_that_the_service_answers(name: str) -> None:
    text = (WEB / "documents" / f"{name}.graphql").read_text(encoding="utf-8")
    Operations().check(text)
    (operation,) = [one for one in parse(text).definitions if isinstance(one, OperationDefinitionNode)]
    assert operation.name is not None
    assert operation.name.value == name


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_document_is_used(name: str) -> None:
    assert [module for module, text in CODE.items() if f'"{name}"' in text] != []


@pytest.mark.parametrize("module", MODULES)
def test_a_document_that_is_asked_for_is_there(module: str) -> None:
    assert set(re.findall(r'\bask\(\s*"(\w+)"', CODE[module])) - set(DOCUMENTS) == set()


# -- Modules ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("module", MODULES)
def test_a_module_imports_only_what_lies_beside_it(module: str) -> None:
    for name in imports(module):
        assert name.startswith(("./", "../")), name
        path = posixpath.normpath(posixpath.join(posixpath.dirname(module), name))
        assert "$" in path or path in assets().files, name


@pytest.mark.parametrize("module", MODULES)
def test_text_stays_text(module: str) -> None:
    assert [word for word in FORBIDDEN if re.search(rf"(?<!\w){re.escape(word)}", CODE[module])] == []


@pytest.mark.parametrize(
    "path", sorted(path for path in STATIC.rglob("*") if path.is_file()), ids=lambda path: path.name
)
def test_no_file_names_another_host(path: Path) -> None:
    """But for the names of XML's vocabularies, which nobody asks for."""
    text = path.read_text(encoding="utf-8")
    found = {*re.findall(r"\b(?:https?|wss?):/*([\w.-]*\w)", text), *re.findall(r"[\"'(](//[\w.-]+)", text)}
    assert found - {"www.w3.org"} == set()


TRIED = """
import x from "./a.js";
export { y } from "https://b/c.js";
import {
  z,
} from "d";
import "./e.js";
export const w = { "no": 1 };
t("common.skip"); t(`common.theme_${x}`); t("common.role_" + y); t("elsewhere.x"); import(`../e/${x}.js`);
// t("common.more")
/** t("common.away") */
const u = "http://www.w3.org"; // t("common.close")
"""


def test_what_is_looked_for_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys spelt out, begun and made of parts, imports of every kind, and nothing of what a comment says."""
    module = STATIC / "try.js"
    monkeypatch.setattr(Path, "read_text", lambda path, **_: TRIED if path == module else "")
    bare = code("try.js")
    assert spelt(bare) == {"common.skip", "common.role_"}
    assert begun(bare) == {"common.theme_", "common.role_"}
    assert "http://www.w3.org" in bare
    monkeypatch.setitem(CODE, "try.js", bare)
    assert list(imports("try.js")) == ["./a.js", "https://b/c.js", "d", "./e.js", "../e/${x}.js"]

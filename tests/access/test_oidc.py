"""People of the identity provider, over real HTTP on both sides: good tokens, forged ones, and sign-ins by code."""

from __future__ import annotations

import base64
import hmac
import json
import time
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from schema.ports import Role
from service.access import fetching, jwks, oidc
from service.access.errors import CredentialsError, ProviderError
from service.access.jwks import KeySet
from service.access.oidc import Provider, ProviderSettings, provider_settings
from service.access.people import person_for
from service.settings import SettingError, Settings
from service.store import Store
from service.store.access import change_principal, identify
from tests.access.keys import bearer, key_for, principal_for
from tests.access.provider import AUDIENCE, CLIENT, FakeProvider, SigningKey, provided

WHO = {"query": "{ viewer { roles player key principal { principal label kind } } }"}
VERIFIER, NONCE, REDIRECT = "v" * 43, "n-1", "https://mingpai.example/signed-in"


def asked(browser: httpx.Client, token: str) -> httpx.Response:
    return browser.post("/graphql", json=WHO, headers=bearer(token))


def viewer(browser: httpx.Client, token: str) -> Any:
    answer = asked(browser, token)
    assert answer.status_code == 200, answer.text
    return answer.json()["data"]["viewer"]


@pytest.mark.parametrize("key", [0, 1, 2])
def test_a_good_token_of_every_kind(oidc_browser: httpx.Client, provider: FakeProvider, key: int) -> None:
    claims = provider.claims("u-1", "clerk", "auditor", mingpai_player="p-3")
    found = viewer(oidc_browser, provider.keys[key].sign(claims))
    assert (found["roles"], found["player"]) == (["CLERK", "AUDITOR"], "p-3")
    principal = found["principal"]
    assert (principal["label"], principal["kind"]) == ("user u-1", "PERSON")
    assert found["key"] == f"oidc:{principal['principal']}"


def test_the_same_person_each_time(oidc_browser: httpx.Client, provider: FakeProvider, store: Store) -> None:
    names = {viewer(oidc_browser, provider.token("u-1", "clerk", n=n))["principal"]["principal"] for n in range(3)}
    assert len(names) == 1
    assert viewer(oidc_browser, provider.token("u-2", "clerk"))["principal"]["principal"] not in names


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        (["server"], []),
        (["server", "clerk"], ["CLERK"]),
        (["king", 7, None, "admin"], ["ADMIN"]),
        ("analyst player", ["PLAYER", "ANALYST"]),
        ("server", []),
        ({"admin": True}, []),
        (None, []),
    ],
)
def test_roles_that_a_token_names(
    oidc_browser: httpx.Client, provider: FakeProvider, claim: object, expected: list[str]
) -> None:
    """Nobody becomes a game server this way."""
    assert viewer(oidc_browser, provider.token("u-1", realm={"roles": claim}))["roles"] == expected


def _unsigned(provider: FakeProvider) -> str:
    parts = ({"alg": "none", "typ": "JWT", "kid": "rsa"}, provider.claims("u-1", "admin"))
    return ".".join([*(_encoded(json.dumps(part).encode()) for part in parts), ""])


def _by_public_key(provider: FakeProvider, secret: Callable[[SigningKey], bytes]) -> str:
    """HS256, where the secret is what everybody can read."""
    parts = ({"alg": "HS256", "typ": "JWT", "kid": "rsa"}, provider.claims("u-1", "admin"))
    signed = ".".join(_encoded(json.dumps(part).encode()) for part in parts)
    return f"{signed}.{_encoded(hmac.digest(secret(provider.keys[0]), signed.encode(), 'sha256'))}"


def _encoded(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def _signed(**changes: Any) -> Callable[[FakeProvider], str]:
    """A token of the right key with claims that are not right; ``None`` leaves one out."""

    def make(provider: FakeProvider) -> str:
        claims = provider.claims("u-1", "admin") | changes
        return provider.keys[0].sign({name: value for name, value in claims.items() if value is not None})

    return make


def _with_other_claims(provider: FakeProvider) -> str:
    head, body, signature = provider.token("u-1", "clerk").split(".")
    claims = json.loads(base64.urlsafe_b64decode(body + "=="))
    claims["realm"]["roles"] = ["admin"]
    return f"{head}.{_encoded(json.dumps(claims).encode())}.{signature}"


_NOW = int(time.time())
FORGED: dict[str, Callable[[FakeProvider], str]] = {
    "alg none": _unsigned,
    "HS256 with the public key": lambda provider: _by_public_key(provider, lambda key: key.pem),
    "HS256 with the key's text": lambda provider: _by_public_key(provider, lambda key: json.dumps(key.jwk).encode()),
    "HS256 with nothing": lambda provider: _by_public_key(provider, lambda key: b""),
    "another key with the same kid": lambda provider: SigningKey("rsa").sign(provider.claims("u-1", "admin")),
    "another kid": lambda provider: SigningKey("other").sign(provider.claims("u-1", "admin")),
    "no kid": lambda provider: provider.keys[0].sign(provider.claims("u-1", "admin"), kid=None),
    "the kid of a key of another kind": lambda provider: provider.keys[0].sign(provider.claims("u-1"), kid="ec"),
    "a key of its own": lambda provider: (lambda key: key.sign(provider.claims("u-1", "admin"), jwk=key.jwk))(
        SigningKey("own")
    ),
    "an address for its key": lambda provider: SigningKey("own").sign(
        provider.claims("u-1"), jku=f"{provider.issuer}/jwks"
    ),
    "changed claims": _with_other_claims,
    "another audience": _signed(aud="somebody-else"),
    "the web client's audience": _signed(aud=CLIENT),
    "no audience": _signed(aud=None),
    "another issuer": _signed(iss="https://evil.example"),
    "no issuer": _signed(iss=None),
    "expired": _signed(exp=_NOW - 3600),
    "no end": _signed(exp=None),
    "not yet": _signed(nbf=_NOW + 3600),
    "made later": _signed(iat=_NOW + 3600),
    "no subject": _signed(sub=None),
    "an empty subject": _signed(sub=""),
    "a number as subject": _signed(sub=7),
    "a subject that is no name": _signed(sub="a\0b"),
    "an endless subject": _signed(sub="x" * 300),
    "an extension that must be known": lambda provider: provider.keys[0].sign(
        provider.claims("u-1", "admin"), crit=["x"], x=1
    ),
    "two dots": lambda provider: "..",
    "words": lambda provider: "let.me.in",
    "not closed": lambda provider: provider.token("u-1", "admin")[:-3],
}


@pytest.mark.parametrize("fault", FORGED)
def test_a_forged_token_opens_nothing(
    oidc_browser: httpx.Client, provider: FakeProvider, store: Store, fault: str
) -> None:
    token = FORGED[fault](provider)
    answer = asked(oidc_browser, token)
    assert answer.status_code == 401
    assert answer.json()["errors"][0]["message"] == "These credentials are not good."
    assert token not in answer.text
    with store.driver() as driver:
        assert driver.execute("SELECT count(*) FROM mingpai.principals").fetchone() == (0,)
    viewer(oidc_browser, provider.token("u-1", "clerk"))  # the right one does


def test_without_a_provider_its_tokens_open_nothing(browser: httpx.Client, provider: FakeProvider) -> None:
    assert asked(browser, provider.token("u-1", "admin")).status_code == 401


def test_without_an_audience_no_token_is_taken(provider: FakeProvider) -> None:
    with pytest.raises(CredentialsError):
        Provider(ProviderSettings(provider.issuer, None, CLIENT)).bearer(provider.token("u-1", "admin"))


def test_a_disabled_person_is_out(oidc_browser: httpx.Client, provider: FakeProvider, store: Store) -> None:
    name = viewer(oidc_browser, provider.token("u-1", "clerk"))["principal"]["principal"]
    change_principal(store, name, {"is_disabled": True})
    assert asked(oidc_browser, provider.token("u-1", "clerk", n=1)).status_code == 401


# One player is one person


def test_the_player_of_a_person_who_has_keys(oidc_browser: httpx.Client, provider: FakeProvider, store: Store) -> None:
    person = principal_for(store, player="p-3")
    found = viewer(oidc_browser, provider.token("u-1", "clerk", mingpai_player="p-3"))
    assert found["principal"]["principal"] == person
    assert found["roles"] == ["CLERK"]  # what the token names, not what the person's keys have


def test_a_player_that_comes_later_and_then_stays(oidc_browser: httpx.Client, provider: FakeProvider) -> None:
    assert viewer(oidc_browser, provider.token("u-1", "player"))["player"] is None
    assert viewer(oidc_browser, provider.token("u-1", "player", mingpai_player="p-3"))["player"] == "p-3"
    assert viewer(oidc_browser, provider.token("u-1", "player", n=1))["player"] == "p-3"
    assert asked(oidc_browser, provider.token("u-1", "player", mingpai_player="p-4")).status_code == 401


def test_two_identities_of_one_player_are_one_person(oidc_browser: httpx.Client, provider: FakeProvider) -> None:
    found = [
        viewer(oidc_browser, provider.token(subject, "clerk", mingpai_player="p-3"))["principal"]["principal"]
        for subject in ("u-1", "u-2")
    ]
    assert found[0] == found[1]


def test_an_identity_that_was_linked_is_the_person_who_has_keys(
    oidc_browser: httpx.Client, provider: FakeProvider, store: Store
) -> None:
    person = principal_for(store)
    identify(store, provider.issuer, "u-1", person)
    assert viewer(oidc_browser, provider.token("u-1", "clerk"))["principal"]["principal"] == person


def test_another_persons_player_cannot_be_taken(
    oidc_browser: httpx.Client, provider: FakeProvider, store: Store
) -> None:
    viewer(oidc_browser, provider.token("u-1", "player"))
    principal_for(store, player="p-3")
    assert asked(oidc_browser, provider.token("u-1", "player", mingpai_player="p-3")).status_code == 401


def test_first_sights_at_once_make_one_person(provider: FakeProvider, store: Store) -> None:
    from concurrent.futures import ThreadPoolExecutor

    claims = Provider(provider.settings).bearer(provider.token("u-1", "clerk"))
    with ThreadPoolExecutor(8) as pool:
        people = list(pool.map(lambda _: person_for(store, claims).principal, range(32)))
    assert len(set(people)) == 1
    with store.driver() as driver:
        assert driver.execute("SELECT count(*) FROM mingpai.principals").fetchone() == (1,)


# The provider's keys


def test_a_new_key_is_fetched_and_an_old_one_forgotten(provider: FakeProvider) -> None:
    now = [0.0]
    checked = Provider(provider.settings, lambda: now[0])
    checked.bearer(provider.token())
    old = provider.keys[0]
    provider.keys = [SigningKey("next")]
    now[0] += jwks.INTERVAL
    checked.bearer(provider.token())
    with pytest.raises(CredentialsError):
        checked.bearer(old.sign(provider.claims()))


def test_unknown_kids_do_not_make_us_ask_all_the_time(provider: FakeProvider) -> None:
    now = [0.0]
    checked = Provider(provider.settings, lambda: now[0])
    stranger = SigningKey("stranger")
    for _ in range(20):
        with pytest.raises(CredentialsError):
            checked.bearer(stranger.sign(provider.claims()))
    assert provider.fetches == 1
    now[0] += jwks.INTERVAL
    with pytest.raises(CredentialsError):
        checked.bearer(stranger.sign(provider.claims()))
    assert provider.fetches == 2


def test_a_provider_that_is_down(provider: FakeProvider) -> None:
    """Known keys are used for a while; then nobody knows, which is not the bearer's fault."""
    now = [0.0]
    checked = Provider(provider.settings, lambda: now[0])
    token = provider.token(exp=int(time.time()) + 9000)
    checked.bearer(token)
    provider.is_down = True
    now[0] += jwks.FRESH
    checked.bearer(token)
    now[0] = jwks.KEPT + 1
    with pytest.raises(ProviderError):
        checked.bearer(token)
    provider.is_down = False
    now[0] += jwks.INTERVAL
    checked.bearer(token)


def test_nobody_knows_is_503(oidc_browser: httpx.Client, provider: FakeProvider) -> None:
    provider.is_down = True
    answer = asked(oidc_browser, provider.token("u-1", "clerk"))
    assert answer.status_code == 503
    assert answer.headers["retry-after"]
    assert answer.json()["errors"][0]["extensions"]["code"] == "UNAVAILABLE"
    assert provider.issuer not in answer.text


@pytest.mark.parametrize(
    "fault",
    [
        {"issuer": "https://evil.example"},
        {"jwks_uri": None},
        {"jwks_uri": "http://192.0.2.1/jwks"},
        {"jwks_uri": "file:///etc/passwd"},
        {"jwks_uri": "{issuer}/nothing"},
    ],
)
def test_a_provider_that_says_something_odd(provider: FakeProvider, fault: dict[str, Any]) -> None:
    provider.discovery = {
        name: value.replace("{issuer}", provider.issuer) if isinstance(value, str) else value
        for name, value in fault.items()
    }
    with pytest.raises(ProviderError):
        Provider(provider.settings).bearer(provider.token())


def test_an_answer_without_end_is_cut(provider: FakeProvider) -> None:
    provider.padding = "x" * fetching.SIZE_LIMIT
    with pytest.raises(ProviderError):
        Provider(provider.settings).bearer(provider.token())


def test_keys_that_check_none_of_our_signatures_are_left_out() -> None:
    good, weak = SigningKey("good"), SigningKey("weak", bits=1024)
    listed = [
        good.jwk,
        weak.jwk,
        {"kty": "oct", "k": "AAAA", "kid": "secret", "alg": "HS256"},
        {**SigningKey("for encryption").jwk, "use": "enc"},
        {"kty": "EC", "crv": "P-384", "kid": "x"},
        {"kid": "nothing"},
        7,
    ]
    keys = KeySet(lambda: {"keys": listed})
    found = [keys.get(kid) for kid in ("good", "weak", "secret", "for encryption", "x", "nothing")]
    assert [one is not None for one in found] == [True, False, False, False, False, False]


@pytest.mark.parametrize("document", [{}, {"keys": None}, {"keys": {}}, {"keys": []}])
def test_a_key_document_that_is_none(document: dict[str, Any]) -> None:
    assert KeySet(lambda: document).get("x") is None


# Sign-ins of browsers


def signed_in(browser: httpx.Client, code: str, **changes: str) -> httpx.Response:
    body = {"code": code, "code_verifier": VERIFIER, "redirect_uri": REDIRECT, "nonce": NONCE}
    return browser.post("/session", json=body | changes)


def test_a_code_becomes_a_session(oidc_browser: httpx.Client, provider: FakeProvider) -> None:
    shown = oidc_browser.get("/session").json()["oidc"]
    assert shown == {"issuer": provider.issuer, "client_id": CLIENT}
    code = provider.code(VERIFIER, REDIRECT, NONCE, "u-1", "clerk", "server", mingpai_player="p-3")
    answer = signed_in(oidc_browser, code)
    assert answer.status_code == 200, answer.text
    assert (answer.json()["roles"], answer.json()["player"]) == (["clerk"], "p-3")
    csrf = {"x-csrf-token": answer.json()["csrf_token"]}
    found = oidc_browser.post("/graphql", json=WHO, headers=csrf).json()["data"]["viewer"]
    assert (found["roles"], found["principal"]["principal"]) == (["CLERK"], answer.json()["principal"])
    assert signed_in(oidc_browser, code).status_code == 401  # a code is good once


def test_a_session_of_the_provider_ends_with_its_person(
    oidc_browser: httpx.Client, provider: FakeProvider, store: Store
) -> None:
    opened = signed_in(oidc_browser, provider.code(VERIFIER, REDIRECT, NONCE, "u-1", "clerk")).json()
    change_principal(store, opened["principal"], {"is_disabled": True})
    answer = oidc_browser.post("/graphql", json=WHO, headers={"x-csrf-token": opened["csrf_token"]})
    assert answer.status_code == 401


SIGN_INS: dict[str, tuple[dict[str, Any], dict[str, str]]] = {
    "another verifier": ({}, {"code_verifier": "w" * 43}),
    "another redirect": ({}, {"redirect_uri": "https://evil.example"}),
    "another nonce": ({}, {"nonce": "n-2"}),
    "a nonce of another sign-in": ({"nonce": "n-2"}, {}),
    "no nonce": ({"nonce": None}, {}),
    "an unknown code": ({}, {"code": "code-7"}),
    "another audience": ({"aud": "somebody-else"}, {}),
    "the API's audience": ({"aud": AUDIENCE}, {}),
    "several audiences, not given to us": ({"aud": [CLIENT, "other"]}, {}),
    "several audiences, given to another": ({"aud": [CLIENT, "other"], "azp": "other"}, {}),
    "given to another": ({"azp": "other"}, {}),
    "another issuer": ({"iss": "https://evil.example"}, {}),
    "expired": ({"exp": _NOW - 3600}, {}),
}


@pytest.mark.parametrize("fault", SIGN_INS)
def test_a_sign_in_that_is_not_right(
    oidc_browser: httpx.Client, provider: FakeProvider, store: Store, fault: str
) -> None:
    claims, sent = SIGN_INS[fault]
    nonce = claims.get("nonce", NONCE)
    others = {name: value for name, value in claims.items() if name != "nonce"}
    code = provider.code(VERIFIER, REDIRECT, nonce, "u-1", "admin", **others)
    answer = signed_in(oidc_browser, **{"code": code, **sent})
    assert answer.status_code == 401
    assert "set-cookie" not in answer.headers
    with store.driver() as driver:
        assert driver.execute("SELECT count(*) FROM mingpai.principals").fetchone() == (0,)


def test_where_people_sign_in(oidc_browser: httpx.Client, provider: FakeProvider) -> None:
    for _ in range(2):
        answer = oidc_browser.get("/session/provider")
        assert answer.json() == {"authorization_endpoint": f"{provider.issuer}/authorize"}
        assert answer.headers["cache-control"] == "no-store"
    assert provider.looks == 1


def test_where_nobody_signs_in_so(browser: httpx.Client) -> None:
    answer = browser.get("/session/provider")
    assert (answer.status_code, answer.json()["errors"][0]["extensions"]["code"]) == (404, "NOT_FOUND")


def test_pages_do_not_wait_for_a_provider_that_is_away(oidc_browser: httpx.Client, provider: FakeProvider) -> None:
    """Every page asks for the session; only who wants to sign in is told that the provider is away."""
    provider.is_down = True
    assert oidc_browser.get("/session").json()["oidc"]["issuer"] == provider.issuer
    assert provider.looks == 0
    answer = oidc_browser.get("/session/provider")
    assert (answer.status_code, answer.json()["errors"][0]["extensions"]["code"]) == (503, "UNAVAILABLE")
    assert answer.headers["retry-after"]
    assert provider.issuer not in answer.text


def test_a_provider_that_is_away_is_not_asked_all_the_time(provider: FakeProvider) -> None:
    now = [0.0]
    asked = Provider(provider.settings, lambda: now[0])
    provider.is_down = True
    for _ in range(20):
        with pytest.raises(ProviderError):
            asked.authorization_endpoint()
    assert provider.looks == 1
    provider.is_down = False
    now[0] += oidc.AWAY
    assert asked.authorization_endpoint() == f"{provider.issuer}/authorize"


@pytest.mark.parametrize("endpoint", [None, 7, "http://192.0.2.1/authorize", "javascript:alert(1)", "/authorize"])
def test_an_address_that_nobody_is_sent_to(provider: FakeProvider, endpoint: object) -> None:
    provider.discovery = {"authorization_endpoint": endpoint}
    with pytest.raises(ProviderError):
        Provider(provider.settings).authorization_endpoint()


def test_several_audiences_given_to_us(oidc_browser: httpx.Client, provider: FakeProvider) -> None:
    code = provider.code(VERIFIER, REDIRECT, NONCE, "u-1", "clerk", aud=[CLIENT, "other"], azp=CLIENT)
    assert signed_in(oidc_browser, code).status_code == 200


def test_a_sign_in_while_the_provider_is_down(oidc_browser: httpx.Client, provider: FakeProvider) -> None:
    code = provider.code(VERIFIER, REDIRECT, NONCE)
    provider.is_down = True
    assert signed_in(oidc_browser, code).status_code == 503


def test_no_secret_of_the_client_in_a_repr(provider: FakeProvider) -> None:
    assert provider.settings.client_secret is not None
    assert provider.settings.client_secret not in repr(provider.settings)
    settings = Settings.from_environment(
        {"MINGPAI_OIDC_ISSUER": "https://login.example", "MINGPAI_OIDC_CLIENT_SECRET": "hush"}
    )
    assert "hush" not in repr(settings)
    assert settings.oidc_client_secret == "hush"


# Settings


def test_settings_of_a_provider() -> None:
    given = {
        "MINGPAI_OIDC_ISSUER": "https://login.example/realm",
        "MINGPAI_OIDC_AUDIENCE": "api",
        "MINGPAI_OIDC_CLIENT_ID": "web",
        "MINGPAI_OIDC_ROLES_CLAIM": "realm_access.roles",
    }
    found = provider_settings(Settings.from_environment(given))
    assert found == ProviderSettings("https://login.example/realm", "api", "web", None, "realm_access.roles", "player")
    assert provider_settings(Settings.from_environment({})) is None


@pytest.mark.parametrize("issuer", ["http://login.example", "login.example", "https://", "file:///x", "http://["])
def test_an_issuer_that_anybody_could_be(issuer: str) -> None:
    with pytest.raises(SettingError, match="MINGPAI_OIDC_ISSUER"):
        Settings.from_environment({"MINGPAI_OIDC_ISSUER": issuer})


@pytest.mark.parametrize("name", ["AUDIENCE", "CLIENT_ID"])
def test_half_of_a_provider(name: str) -> None:
    with pytest.raises(SettingError, match="MINGPAI_OIDC_ISSUER is not set"):
        provider_settings(Settings.from_environment({f"MINGPAI_OIDC_{name}": "x"}))


def test_a_person_of_the_provider_makes_no_keys_of_the_own(
    oidc_browser: httpx.Client, provider: FakeProvider, store: Store
) -> None:
    """They would outlive what the provider says; an admin gives them, to others."""
    query = "mutation { createKey(roles: [CLERK]) { __typename ... on AccessRefused { code } } }"
    for roles in (["clerk"], ["clerk", "admin"]):
        answer = oidc_browser.post("/graphql", json={"query": query}, headers=bearer(provider.token("u-1", *roles)))
        assert answer.json()["data"]["createKey"] == {"__typename": "AccessRefused", "code": "ACCESS_REFUSED"}


def test_the_roles_of_a_token_are_not_those_of_a_key(
    oidc_browser: httpx.Client, provider: FakeProvider, store: Store
) -> None:
    with provided() as other:  # its keys have the same ids, and it is not ours
        other.keys = [SigningKey(key.kid, key.algorithm) for key in provider.keys]
        assert asked(oidc_browser, other.token("u-1", "admin")).status_code == 401
    assert asked(oidc_browser, key_for(store, Role.CLERK)).status_code == 200

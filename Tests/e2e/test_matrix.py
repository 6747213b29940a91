"""Features together: every pair of stores, accounts, ways to sign in, factors, callers and protocols that the configuration accepts.

One run takes a combination through a user's life: sign in, a page, userinfo, a refresh, a step-up, a reload, a restart, and a sign-out after
which the old cookie opens nothing. `REFUSED` has the pairs that are left out, and who refuses them.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from logins import NAVIGATION, new_client
from parts.authenticator import SoftAuthenticator
from parts.dev_provider import DevProvider
from parts.ext_authz import check
from parts.factor_devices import CodeApp
from parts.gateway import Gateway, merged, run_command, session_key, write_configuration
from parts.pairs import Combination, covering, every_pair, pairs
from parts.postgres import Postgres
from parts.processes import eventually, free_port
from parts.redis_server import RedisCluster, RedisGroup, RedisServer
from parts.relay import TokenRelay

PASSWORD = "correct horse battery staple"
LATER = 3600
NUMBERS = itertools.count()
# The first bytes of a client over HTTP/2 without TLS tell the gateway which protocol it speaks.
DIMENSIONS = {
    "store": ["cookie", "redis", "sentinel", "cluster"],
    "accounts": ["none", "sqlite", "postgres"],
    "way": ["openid", "oauth2", "password", "anonymous", "passkey"],
    "factor": ["none", "totp", "passkey", "remembered", "enrolled"],
    "caller": ["proxy", "forward-auth", "ext-authz"],
    "protocol": ["http1", "http2"],
}
# Pairs that no combination has, and the lint rule that refuses them.
REFUSED: dict[tuple[str, str], str] = {
    **{("accounts=none", f"way={way}"): "missing-key" for way in ("password", "anonymous", "passkey")},
    **{("accounts=none", f"factor={factor}"): "missing-key" for factor in ("totp", "passkey", "remembered", "enrolled")},
}
# A passkey that signs in is a factor of the account: no configuration has one and not the other.
MEANINGLESS = {("factor=none", "way=passkey")}


def is_allowed(combination: Combination) -> bool:
    values = {f"{name}={value}" for name, value in combination.items()}
    return not any(values.issuperset(pair) for pair in {*REFUSED, *MEANINGLESS})


RUNS = covering(DIMENSIONS, is_allowed)


def test_every_pair_that_is_accepted_has_a_run():
    covered = {pair for run in RUNS for pair in pairs(run)}
    left_out = {frozenset(tuple(value.split("=")) for value in pair) for pair in {*REFUSED, *MEANINGLESS}}
    assert every_pair(DIMENSIONS) - covered == left_out
    assert len(RUNS) <= 60


@pytest.mark.parametrize("pair", REFUSED, ids=" ".join)
def test_a_pair_without_a_run_is_refused(pair, dev, tmp_path):
    run = {name: values[0] for name, values in DIMENSIONS.items()} | dict(value.split("=") for value in pair)
    gateway = Gateway("refused", tmp_path, merged({"upstream": "http://127.0.0.1:9"}, configuration(run, dev, None, {}, None, free_port())))
    write_configuration(gateway.file, gateway.configuration)
    done = run_command("validate", "--format", "json", str(gateway.file))
    rules = {finding["rule"] for finding in json.loads(done.stdout)["diagnostics"] if finding["severity"] == "error"}
    assert REFUSED[pair] in rules and done.returncode == 1, done.stdout


# --- What the runs share ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def servers(folder) -> Iterator[Callable[[str], str]]:
    """The URL of a store, started when the first run needs it. Runs share the servers, each with a prefix of its own."""
    started: dict[str, RedisServer | RedisGroup | RedisCluster] = {}
    kinds = {"redis": RedisServer, "sentinel": RedisGroup, "cluster": RedisCluster}

    def url(store: str) -> str:
        if store not in started:
            started[store] = kinds[store](folder).start()
        return started[store].url

    yield url
    for server in started.values():
        server.kill()


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    server = Postgres()
    yield server
    server.close()


@pytest.fixture(scope="module")
def password_hash(start_gateway, tmp_path_factory) -> str:
    """Made once: to make one takes a processor half a second."""
    store = f"sqlite:{tmp_path_factory.mktemp('hash')}/accounts.db"
    gateway = start_gateway(
        {"providers": [{"id": "password", "signUp": False}], "accounts": {"store": store, "keys": [session_key()]}}, wait=False
    )
    write_configuration(gateway.file, gateway.configuration)
    uid = re.search(r"[a-z2-7]{26}", command(gateway, "create", "--email", "ada@example.com", "--verified"))
    assert uid
    command(gateway, "set-password", uid.group(0), input=PASSWORD)
    return json.loads(command(gateway, "export"))["password_hash"]


def command(gateway: Gateway, *arguments: str, input: str | None = None) -> str:
    done = run_command("users", *arguments, "--config", str(gateway.file), input=input)
    assert done.returncode == 0, done.stderr
    return done.stdout


# --- One user -----------------------------------------------------------------------------------------------------------


@dataclass
class Life:
    """A user of one gateway, with what the user holds. `upstream`: the app that a proxy protects."""

    run: Combination
    gateway: Gateway
    dev: DevProvider
    decisions: int
    upstream: Any
    app: CodeApp | None = None
    key: SoftAuthenticator | None = None
    uid: str = ""
    client: httpx.Client = field(init=False)

    def __post_init__(self) -> None:
        self.client = self.new_client()

    # The browser

    def new_client(self) -> httpx.Client:
        is_http2 = self.run["protocol"] == "http2"
        return httpx.Client(http1=not is_http2, http2=is_http2, trust_env=False, timeout=60)

    def get(self, path: str, **headers: str) -> httpx.Response:
        return self.client.get(self.gateway.url(path), headers={"Accept": "application/json", **headers})

    def post(self, path: str, body: dict[str, Any] | None = None) -> httpx.Response:
        headers = {"Accept": "application/json", "Origin": self.gateway.origin}
        return self.client.post(self.gateway.own(path), json=body or {}, headers=headers)

    def ok(self, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        answer = self.post(path, body)
        assert answer.status_code in (200, 204), f"{path}: {answer.status_code} {answer.text}"
        return answer.json() if answer.content else {}

    # The way to a page of the app, which is asked for as the proxy in front asks

    def page(self, path: str = "/app/x", **headers: str) -> tuple[int, str]:
        """The status, and where a redirect leads. Cookies of the answer reach the browser."""
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.client.cookies.jar)
        headers = {"Accept": "application/json", **({"Cookie": cookies} if cookies else {}), **headers}
        host = urlsplit(self.gateway.origin).netloc
        if self.run["caller"] == "proxy":
            answer = self.get(path, **headers)
            return answer.status_code, answer.headers.get("Location", "")
        if self.run["caller"] == "ext-authz" and self.run["protocol"] == "http2":
            told = check(f"127.0.0.1:{self.decisions}", host, path, headers)
            self.take([value for name, value in told.client_headers if name.lower() == "set-cookie"])
            return told.status, next((value for name, value in told.client_headers if name.lower() == "location"), "")
        origin = f"http://127.0.0.1:{self.decisions}"
        if self.run["caller"] == "ext-authz":
            address, more = f"{origin}/envoy{path}", {"Host": host, "X-Forwarded-For": "192.0.2.7"}
        else:
            fields = {"Method": "GET", "Proto": "http", "Host": host, "Uri": path, "For": "192.0.2.7"}
            address, more = f"{origin}/forward", {f"X-Forwarded-{name}": value for name, value in fields.items()}
        with self.new_client() as proxy:
            answer = proxy.get(address, headers={**headers, **more})
        self.take(answer.headers.get_list("set-cookie"))
        return answer.status_code, answer.headers.get("Location", "")

    def take(self, lines: list[str]) -> None:
        for line in lines:
            pair, _, rest = line.partition(";")
            name, _, value = pair.partition("=")
            self.client.cookies.delete(name) if name in self.client.cookies else None
            if value and "max-age=0" not in rest.lower():
                self.client.cookies.set(name, value, domain="127.0.0.1", path="/")

    def serves(self, path: str = "/app/x") -> None:
        status, location = self.page(path)
        assert status == 200, f"{path}: {status} {location}\n{self.gateway.log[-3000:]}"

    def shown(self) -> dict[str, Any]:
        answer = self.get("/_gateway/userinfo")
        assert answer.status_code == 200, answer.text
        return answer.json()

    # Signing in

    @property
    def email(self) -> str:
        return "alice@example.com"

    def at_provider(self, start: httpx.Response) -> httpx.Response:
        """From the redirect to the provider to the answer of the callback."""
        assert start.status_code == 302, f"{start.status_code}: {start.text[:500]}"
        browser = new_client()
        page = browser.get(start.headers["Location"], headers=NAVIGATION, timeout=60)
        return self.client.get(self.dev.sign_in(browser, page, "alice"), headers=NAVIGATION)

    def first_factor(self, way: str | None = None) -> bool:
        """Signs in; whether a second factor is asked for."""
        way = way or self.run["way"]
        if way in ("openid", "oauth2"):
            provider = "oidc.dev" if way == "openid" else "github.com"
            answer = self.at_provider(self.client.get(self.gateway.own(f"/login/{provider}"), headers=NAVIGATION))
            assert answer.status_code == 303, f"{answer.status_code}: {answer.text[:500]}\n{self.gateway.log[-3000:]}"
            return self.get("/_gateway/userinfo").status_code == 401
        if way == "passkey":
            assert self.key
            options = self.ok("/login/passkey/start")["publicKey"]
            answer = self.post("/login/passkey", {"credential": self.key.sign(options)})
        elif way == "anonymous":
            answer = self.post("/login/anonymous")
        else:
            answer = self.post("/login/password", {"email": self.email, "password": PASSWORD})
        if answer.status_code == 401 and answer.json()["error"]["code"] == "auth/multi-factor-auth-required":
            return True
        assert answer.status_code == 200, f"{answer.status_code} {answer.text}\n{self.gateway.log[-3000:]}"
        return False

    def second_factor(self, remember: bool = False) -> None:
        """Shows the factor that the pending sign-in, or the session, is asked for; adds one if none is there."""
        asked = self.get("/_gateway/second-factor").json()
        hints = {hint["type"]: hint["id"] for hint in asked.get("hints", [])}
        if not hints:
            return self.enrol("totp")
        kind = "webauthn" if self.run["factor"] == "passkey" and "webauthn" in hints else "totp" if "totp" in hints else "webauthn"
        proof: dict[str, Any] = {"factor": hints[kind], **({"remember": "true"} if remember else {})}
        if kind == "totp":
            assert self.app
            proof["code"] = self.app.code()
        else:
            assert self.key
            proof["credential"] = self.key.sign(self.ok("/second-factor/start", {"factor": hints[kind]})["publicKey"])
        self.ok("/second-factor/verify", proof)

    def enrol(self, kind: str) -> None:
        begun = self.ok("/account/second-factors/start", {"type": kind, "display_name": kind})
        proof: dict[str, Any] = {"enrollment": begun["enrollment"]}
        if kind == "totp":
            self.app = CodeApp(begun["secret"])
            proof["code"] = self.app.code()
        else:
            self.key = SoftAuthenticator(self.gateway.origin, "127.0.0.1")
            proof["credential"] = self.key.register(begun["publicKey"])
        self.ok("/account/second-factors/verify", proof)

    def sign_in(self, way: str | None = None) -> bool:
        """Whether a second factor was asked for."""
        asked = self.first_factor(way)
        if asked:
            assert self.page()[0] == 401, "a first factor alone opens nothing"
            self.second_factor()
        return asked

    def sign_out(self) -> None:
        answer = self.post("/logout")
        assert answer.status_code in (200, 204, 303), f"{answer.status_code} {answer.text}"

    def cookies(self) -> dict[str, str]:
        return {cookie.name: cookie.value or "" for cookie in self.client.cookies.jar}


# --- The runs -----------------------------------------------------------------------------------------------------------


def configuration(run: Combination, dev: DevProvider, relay: TokenRelay | None, store: dict[str, Any], accounts: str | None, decisions: int) -> dict:
    providers: list[dict[str, Any]] = []
    if run["way"] == "oauth2":
        providers.append(dev.github_configuration)
    elif run["way"] in ("openid", "anonymous"):
        providers.append({**dev.configuration, **({"endpoints": {"token": relay.url}} if relay else {})})
    if run["way"] == "anonymous":
        providers.append({"id": "anonymous"})
    if run["way"] in ("password", "passkey"):
        providers.append({"id": "password", "signUp": False})
    factors = {"totp", *(["webauthn"] if "passkey" in (run["way"], run["factor"]) else [])}
    has_factors = run["factor"] != "none"
    return {
        "providers": providers,
        "session": store,
        "server": {"http2": "prior-knowledge" if run["protocol"] == "http2" else "off"},
        "routes": [{"path": "/strong/**", "access": {"secondFactor": True}}, {"path": "/company/**"}] if has_factors else [{"path": "/company/**"}],
        **({"accounts": {"store": accounts, "keys": [session_key()]}} if accounts else {}),
        **(
            {
                "secondFactor": {
                    "factors": sorted(factors),
                    "policy": "required" if run["factor"] == "enrolled" else "enrolled",
                    **({"rememberBrowser": "30d"} if run["factor"] == "remembered" else {}),
                }
            }
            if has_factors
            else {}
        ),
        **({"authorization": {"listen": f"127.0.0.1:{decisions}"}, "upstream": None} if run["caller"] != "proxy" else {}),
    }


@pytest.mark.parametrize("run", RUNS, ids=[" ".join(run.values()) for run in RUNS])
def test_a_users_life(run, start_gateway, dev, upstream, servers, postgres, password_hash, tmp_path):
    number, decisions = next(NUMBERS), free_port()
    store = {} if run["store"] == "cookie" else {"store": {"url": servers(run["store"]), "prefix": f"m{number}:"}}
    accounts = {"none": None, "sqlite": f"sqlite:{tmp_path}/accounts.db", "postgres": ""}[run["accounts"]]
    if run["accounts"] == "postgres":
        accounts = postgres.database(f"matrix{number}")
    relay = TokenRelay(f"{dev.issuer}/token") if run["way"] == "openid" else None
    if relay:
        relay.lifetime = LATER
    gateway = start_gateway(configuration(run, dev, relay, store, accounts, decisions))
    life = Life(run, gateway, dev, decisions, upstream)

    # A guest has no address, so no factor, and is exempt from `required`.
    has_factor = run["factor"] != "none" and run["way"] != "anonymous"
    # An account that has what it signs in with.
    if run["way"] in ("password", "passkey"):
        account = {"uid": "a" * 26, "email": life.email, "email_verified": True, "password_hash": password_hash}
        command(gateway, "import", input=json.dumps(account))
        life.first_factor("password")
        if run["factor"] == "enrolled":
            life.second_factor()
    elif has_factor and run["factor"] != "enrolled":
        life.first_factor()
    if has_factor and run["factor"] in ("totp", "remembered"):
        life.enrol("totp")
    if has_factor and "passkey" in (run["way"], run["factor"]):
        life.enrol("webauthn")
    if life.cookies():
        life.sign_out()
        life.client.cookies.clear()

    # Sign in.
    assert life.page()[0] == 401
    if relay:
        relay.lifetime = 1
    if has_factor and run["factor"] == "remembered" and run["way"] != "passkey":
        assert life.first_factor()
        life.second_factor(remember=True)
        life.sign_out()
        assert life.page()[0] == 401
        assert not life.sign_in(), "a remembered browser is not asked"
    else:
        assert life.sign_in() == (has_factor and run["way"] != "passkey")
    life.serves()
    life.uid = life.shown()["uid"]
    assert life.uid

    # A refresh, which an access token of one second is due for.
    if relay:
        before = relay.refreshes
        eventually(lambda: life.page()[0] == 200 and relay.refreshes > before, "a refresh")
        relay.lifetime = LATER
        life.serves()

    # A step-up: a factor where a route asks for one, a new sign-in where none is there. A guest who signs in again is another guest.
    if has_factor:
        if life.page("/strong/x")[0] != 200:
            assert run["factor"] == "remembered", "the factor was shown"
            life.second_factor()
        life.serves("/strong/x")
        assert life.shown()["second_factor"]
    elif run["way"] != "anonymous":
        life.sign_in()
        life.serves()
    elif run["factor"] != "none":
        assert life.page("/strong/x")[0] in (401, 403)
    assert life.shown()["uid"] == life.uid

    # A reload, and a restart.
    gateway.rewrite(routes=[*gateway.configuration["routes"], {"path": "/reloaded/**", "access": {"emails": ["nobody@example.com"]}}]).reload()
    life.serves()
    assert life.page("/reloaded/x")[0] == 403
    life.client.close()
    kept = life.client.cookies
    gateway.restart()
    life.client = life.new_client()
    life.client.cookies = kept
    life.serves()
    assert life.shown()["uid"] == life.uid
    if relay:
        relay.lifetime = LATER

    # The end.
    old = life.cookies()
    life.sign_out()
    assert life.page()[0] == 401
    life.client.cookies.clear()
    for name, value in old.items():
        life.client.cookies.set(name, value, domain="127.0.0.1", path="/")
    assert life.page()[0] == 401, "the old cookie opens nothing"
    gateway.stop()
    if relay:
        relay.close()

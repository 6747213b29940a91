"""What is installed today keeps working: the data of released versions in Fixtures/compat (decision 0052).

Each folder was recorded by the version that it is named after. This program validates its configuration files, opens its cookies, its
entries in Redis and its databases, signs its users in, and knows its names. Fixtures/compat/README.md says how to break one on purpose.
"""

from __future__ import annotations

import concurrent.futures
import itertools
import json
import pathlib
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml
from cryptography.hazmat.primitives import serialization

from compat import names
from compat.configurations import effective, findings, validate
from compat.installation import Installation, restore, write_secret
from compat.keys import schema_keys, used_keys
from compat.provider import RecordedProvider
from compat.redis_dump import load
from compat.visitor import NAVIGATION, Answer, Visitor
from parts.authenticator import SoftAuthenticator
from parts.factor_devices import now_step, totp
from parts.gateway import ROOT, run_command, session_key
from parts.mailbox import Mailbox
from parts.postgres import Postgres
from parts.processes import eventually
from parts.redis_server import RedisServer
from parts.signed_receiver import SignedReceiver

COMPAT = ROOT / "Fixtures/compat"
VERSIONS = sorted(path.name for path in COMPAT.iterdir() if path.is_dir())
NUMBERS = itertools.count()
DAY = 86_400_000
# Of the recorded registrations.
PASSWORD = "correct horse battery staple"
NEW_PASSWORD = "another horse another battery"


def retired() -> dict[str, str]:
    """What later versions broke on purpose: `VERSION WHAT` and the number of the decision that says why."""
    lines = (line.strip() for line in (COMPAT / "retired.txt").read_text(encoding="utf-8").splitlines())
    return {what: decision for what, _, decision in (line.rpartition(" ") for line in lines if line and not line.startswith("#"))}


RETIRED = retired()


def is_retired(version: str, what: str) -> bool:
    return f"{version} {what}" in RETIRED


@pytest.fixture(params=VERSIONS)
def version(request) -> str:
    return request.param


@pytest.fixture
def recorded(version: str) -> pathlib.Path:
    return COMPAT / version


def recording(folder: pathlib.Path) -> dict[str, Any]:
    return json.loads((folder / "recorded.json").read_text(encoding="utf-8"))


def test_each_break_on_purpose_has_a_decision_and_a_line_in_the_changelog():
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    for what, decision in RETIRED.items():
        assert what.split(" ", 1)[0] in VERSIONS, what
        pages = list((ROOT / "docs/decisions").glob(f"{decision}-*.md"))
        assert len(pages) == 1, f"{what}: no decision {decision}"
        assert pages[0].name in changelog, f"{what}: CHANGELOG.md does not link to {pages[0].name}"


# --- Configuration files ---------------------------------------------------------------------------------------------------


def test_the_recorded_files_use_every_key_of_their_version(recorded):
    schema = json.loads((recorded / "gateway.schema.json").read_text(encoding="utf-8"))
    files = sorted((recorded / "configurations").glob("*.yaml"))
    used = set().union(*(used_keys(schema, yaml.safe_load(file.read_text(encoding="utf-8-sig"))) for file in files))
    assert sorted(schema_keys(schema) - used) == []


def test_every_recorded_file_validates_as_it_did(version, recorded, tmp_path):
    """No error, and every finding of that version. A new finding is a rule that the version did not have, or `deprecated-key`."""
    folder = restore(recorded / "configurations", tmp_path / "configurations")
    files = sorted(path.name for path in folder.glob("*.yaml"))
    report = validate(folder, files)
    assert [item for item in report["diagnostics"] if item["severity"] == "error"] == []
    rules = set((recorded / "names/rules.txt").read_text(encoding="utf-8").split())
    for file in files:
        if is_retired(version, f"configurations/{file}"):
            continue
        expected = json.loads((folder / file).with_suffix(".json").read_text(encoding="utf-8"))["findings"]
        now = findings(report, file)
        assert [item for item in expected if item not in now] == [], f"{file}: findings that are gone"
        new = [item for item in now if item not in expected]
        assert [item for item in new if item["rule"] in rules and item["rule"] != "deprecated-key"] == [], f"{file}: new findings"


def differences(before: Any, after: Any, path: str = "") -> Iterator[str]:
    """What a configuration said that it says no longer. Keys that were added are none."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key, value in before.items():
            where = f"{path}.{key}" if path else str(key)
            if key not in after:
                yield f"{where}: gone"
            else:
                yield from differences(value, after[key], where)
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for index, (first, second) in enumerate(zip(before, after)):
            yield from differences(first, second, f"{path}[{index}]")
    elif before != after:
        yield f"{path}: {before!r} is now {after!r}"


@pytest.mark.timeout(300)  # a process for each file, which a debug build on a busy machine starts slowly
def test_every_recorded_file_means_what_it_did(version, recorded, tmp_path):
    """Defaults included: a file that does not set a key relies on its default."""
    folder = restore(recorded / "configurations", tmp_path / "configurations")
    files = sorted(path.name for path in folder.glob("*.yaml"))
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for file, now in zip(files, pool.map(lambda file: effective(folder, file), files)):
            before = json.loads((folder / file).with_suffix(".json").read_text(encoding="utf-8"))["effective"]
            changed = [line for line in differences(before, now) if not is_retired(version, f"effective/{line.split(':')[0]}")]
            assert changed == [], file


# --- Names -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", sorted(set(names.LISTS) - {"endpoints"}))
def test_every_recorded_name_is_still_known(version, recorded, kind):
    before = set((recorded / "names" / f"{kind}.txt").read_text(encoding="utf-8").splitlines())
    collect, least = names.LISTS[kind]
    assert len(before) >= least
    assert sorted(name for name in before - collect() if not is_retired(version, f"{kind}/{name}")) == []


def test_gateway_explain_knows_every_recorded_error(version, recorded):
    listed = (recorded / "names/errors.txt").read_text(encoding="utf-8").split()
    listed = [name for name in listed if not is_retired(version, f"errors/{name}")]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        runs = zip(listed, pool.map(lambda name: run_command("explain", name), listed))
        assert [name for name, run in runs if run.returncode != 0] == []


# --- Sessions ------------------------------------------------------------------------------------------------------------------


class Parts:
    """What an installation talks to, started when it is asked for."""

    def __init__(self, recorded: pathlib.Path, work: pathlib.Path) -> None:
        self.recorded, self.work = recorded, work
        self._closing: list[Any] = []

    def provider(self, folder: pathlib.Path) -> RecordedProvider:
        people = json.loads((self.recorded / "people.json").read_text(encoding="utf-8"))
        provider = RecordedProvider((folder / "test-only-provider.pem").read_text(), people["people"])
        provider.extras = people["extras"]
        self._closing.append(provider.close)
        return provider

    def redis(self) -> RedisServer:
        server = RedisServer(self.work).start()
        self._closing.append(server.kill)
        return server

    def mailbox(self) -> Mailbox:
        box = Mailbox()
        self._closing.append(box.close)
        return box

    def receiver(self, folder: pathlib.Path) -> SignedReceiver:
        receiver = SignedReceiver((folder / "test-only-hook.secret").read_text().strip())
        self._closing.append(receiver.close)
        return receiver

    def close(self) -> None:
        for close in reversed(self._closing):
            close()


@pytest.fixture
def parts(recorded, tmp_path) -> Iterator[Parts]:
    parts = Parts(recorded, tmp_path)
    yield parts
    parts.close()


def opens(installation: Installation, session: dict[str, Any]) -> Visitor:
    """The session answers what it answered then; members may have been added."""
    visitor = installation.visitor(session["cookies"])
    answer = visitor.own("/userinfo")
    assert answer.status == 200, f"{session['name']}: {answer.status} {answer.text[:300]}"
    assert list(differences(session["userinfo"], answer.json())) == [], session["name"]
    return visitor


def is_refused(installation: Installation, session: dict[str, Any]) -> None:
    answer = installation.visitor(session["cookies"]).own("/userinfo")
    assert (answer.status, answer.code) == (401, session["code"]), f"{session['name']}: {answer.status} {answer.text[:300]}"


def refreshes(installation: Installation, known: dict[str, Any], provider: RecordedProvider) -> None:
    """Access tokens have expired since. The refresh tokens, and the key that one of them is bound to, are still in the sessions."""
    for session in known["sessions"]:
        given = provider.extras.get(session.get("person", ""))
        if given is None:
            continue
        visitor, before = installation.visitor(session["cookies"]), len(provider.refreshes)
        assert visitor.get("/").status == 200
        eventually(lambda: provider.refreshes[before:], f"{session['name']}: a refresh")
        form, thumbprint = provider.refreshes[before]
        assert form["refresh_token"] == given["refresh_token"]
        assert thumbprint == (known["thumbprint"] if session["name"] == "DPoP" else "")
        assert list(differences(session["userinfo"], visitor.userinfo())) == [], "the renewed session"


@pytest.mark.parametrize("name", ["cookies", "domain", "loopback"])
def test_recorded_cookies_open(version, recorded, parts, upstream, tmp_path, name):
    if is_retired(version, f"installations/{name}"):
        return
    folder = restore(recorded / "installations" / name, tmp_path / name)
    known, provider = recording(folder), parts.provider(folder)
    with Installation(folder, PROVIDER_PORT=provider.port, UPSTREAM_PORT=upstream.port).running() as installation:
        for session in known["sessions"]:
            opens(installation, session)
        for session in known["ended"]:
            is_refused(installation, session)
        if name != "cookies":
            return
        refreshes(installation, known, provider)
        marker = f"compat{next(NUMBERS)}"
        assert opens(installation, known["sessions"][0]).get(f"/{marker}").status == 200
        headers = dict(upstream.only(marker).headers)
        kept = [header for header in known["headerNames"] if not is_retired(version, f"headers/{header}")]
        assert [header for header in kept if header not in headers] == []
        assert list(differences({name: value for name, value in known["headers"].items() if name in kept}, headers)) == []
        jwks = installation.visitor().own("/jwks.json").json()
        assert [key for key in known["jwks"]["keys"] if key not in jwks["keys"]] == []


def test_recorded_cookies_open_with_a_new_key_in_front(recorded, tmp_path):
    folder = restore(recorded / "installations/cookies", tmp_path / "cookies")
    write_secret(folder / "new.key", session_key())
    text = (folder / "gateway.yaml").read_text(encoding="utf-8")
    changed = text.replace('"${file:./test-only-session.key}"', '"${file:./new.key}", "${file:./test-only-session.key}"')
    assert changed != text
    (folder / "gateway.yaml").write_text(changed, encoding="utf-8")
    with Installation(folder).running() as installation:
        for session in recording(folder)["sessions"][:3]:
            opens(installation, session)


def test_recorded_entries_of_redis_open(recorded, parts, upstream, tmp_path):
    folder = restore(recorded / "installations/redis", tmp_path / "redis")
    known, provider, server = recording(folder), parts.provider(folder), parts.redis()
    assert load(server.port, folder / "redis.txt") > 3
    with Installation(folder, PROVIDER_PORT=provider.port, REDIS_PORT=server.port, UPSTREAM_PORT=upstream.port).running() as installation:
        for session in known["sessions"]:
            visitor = opens(installation, session)
            if "sessions" in session:
                # `last_seen_at` moves with this request.
                before = [{**item, "last_seen_at": ""} for item in session["sessions"]]
                assert list(differences(before, [{**item, "last_seen_at": ""} for item in visitor.own("/sessions").json()])) == []
        for session in known["ended"]:
            is_refused(installation, session)
        refreshes(installation, known, provider)


# --- Accounts ---------------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    server = Postgres()
    yield server
    server.close()


class Accounts:
    """A recorded database, restored."""

    def __init__(self, folder: pathlib.Path, postgres: Postgres | None) -> None:
        self.folder, self.postgres = folder, postgres
        self.known = recording(folder)
        self.name = f"compat{next(NUMBERS)}"
        self.store = "sqlite:./accounts.db"
        if postgres:
            self.store = postgres.restore(self.name, (folder / "accounts.sql").read_text(encoding="utf-8"))
        # Mails live for an hour and messages for a day: this installation stood still for a long time, and goes on now.
        self.execute(f"UPDATE mail_tokens SET expires_at = expires_at + {36500 * DAY}")
        self.execute(f"UPDATE outbox SET created_at = created_at + {36500 * DAY}, due_at = 0")

    def execute(self, statement: str) -> None:
        if self.postgres:
            return self.postgres.execute(self.name, statement)
        with sqlite3.connect(self.folder / "accounts.db") as connection:
            connection.execute(statement)
        connection.close()

    def user(self, name: str) -> dict[str, Any]:
        return next(user for user in self.known["users"] if user["name"] == name)


def password(installation: Installation, user: dict[str, Any], cookies: dict[str, str] | None = None) -> tuple[Visitor, Answer]:
    visitor = installation.visitor(cookies)
    return visitor, visitor.post("/login/password", {"email": user["email"], "password": user["password"]})


def second_factor(visitor: Visitor, kind: str, code: str | None, messages: SignedReceiver | None = None) -> Answer:
    """Answers the question for a second factor. Without a code, with the one of the text message."""
    asked = visitor.own("/second-factor")
    assert asked.code == "auth/multi-factor-auth-required", asked.text
    factor = next(hint["id"] for hint in asked.json()["hints"] if hint["type"] == kind)
    if messages:
        assert visitor.post("/second-factor/start", {"factor": factor}).status in (200, 204)
        code = messages.events("/send")[-1]["code"]
    return visitor.post("/second-factor/verify", {"factor": factor, "code": code})


def through_provider(installation: Installation, provider: RecordedProvider, who: str) -> tuple[Visitor, Answer]:
    visitor = installation.visitor()
    begun = visitor.own(f"/login/oidc.acme?login_hint={who}", NAVIGATION)
    location = urlsplit(begun.header("Location"))
    callback = Visitor(provider.port, "http://127.0.0.1").get(f"{location.path}?{location.query}").header("Location")
    return visitor, visitor.get(callback, NAVIGATION)


def lines(text: str | pathlib.Path) -> list[Any]:
    """JSON Lines."""
    content = text.read_text(encoding="utf-8") if isinstance(text, pathlib.Path) else text
    return [json.loads(line) for line in content.splitlines()]


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_recorded_accounts_open(recorded, parts, postgres, tmp_path, kind):
    folder = restore(recorded / f"installations/accounts-{kind}", tmp_path / kind)
    accounts = Accounts(folder, postgres if kind == "postgres" else None)
    provider, mailbox, messages = parts.provider(folder), parts.mailbox(), parts.receiver(folder)
    ports = {"PROVIDER_PORT": provider.port, "SMTP_PORT": mailbox.port, "HOOK_PORT": messages.port, "ACCOUNTS_STORE": accounts.store}
    installation = Installation(folder, **ports)

    # The commands migrate the store.
    for file, command in (("users.jsonl", ["export"]), ("listed.jsonl", ["list", "--format", "json"])):
        assert list(differences(lines(folder / file), lines(installation.users(*command)))) == []

    with installation.running():
        for session in accounts.known["sessions"]:
            opens(installation, session)
        sign_ins(installation, accounts, provider, messages)
        passkey(installation, accounts.user("bea"))
        waiting(installation, accounts, messages)
    sealed = installation.users("reseal")
    assert re.search(r"\b[1-9]\d*\b", sealed) or sealed == "", sealed


def sign_ins(installation: Installation, accounts: Accounts, provider: RecordedProvider, messages: SignedReceiver) -> None:
    ada, carl, dora, emil, fay, hana = (accounts.user(name) for name in ("ada", "carl", "dora", "emil", "fay", "hana"))
    visitor, answer = password(installation, ada)
    assert (answer.status, answer.code) == (401, "auth/multi-factor-auth-required"), answer.text
    assert second_factor(visitor, "totp", totp(ada["totp"], now_step())).status == 200
    assert (visitor.userinfo()["uid"], visitor.userinfo()["second_factor"]) == (ada["uid"], "totp")
    visitor, answer = password(installation, ada)
    assert second_factor(visitor, "recovery", ada["recovery"][0]).status == 200
    visitor, answer = password(installation, ada, ada["browser"])
    assert answer.status == 200 and visitor.userinfo()["uid"] == ada["uid"], "a remembered browser is not asked"

    visitor, answer = through_provider(installation, provider, "carl")
    assert answer.status == 303 and second_factor(visitor, "phone", None, messages).status == 200
    assert messages.events("/send")[-1]["to"] == carl["phone"] and visitor.userinfo()["uid"] == carl["uid"]
    visitor, answer = through_provider(installation, provider, "hana")
    assert answer.status == 303 and second_factor(visitor, "totp", totp(hana["totp"], now_step())).status == 200
    assert visitor.userinfo()["uid"] == hana["uid"]

    for user in (dora, fay):
        visitor, answer = password(installation, user)
        assert answer.status == 200 and visitor.userinfo()["uid"] == user["uid"], f"{user['name']}: {answer.text}"
    visitor, answer = through_provider(installation, provider, "dora")
    assert answer.status == 303 and visitor.userinfo()["uid"] == dora["uid"]
    assert sorted(visitor.userinfo()["providers"]) == sorted([*dora["providers"], "password"])
    _, answer = password(installation, emil)
    assert (answer.status, answer.code) == (403, "auth/user-disabled"), answer.text


def passkey(installation: Installation, bea: dict[str, Any]) -> None:
    key = SoftAuthenticator(installation.public_url, urlsplit(installation.public_url).hostname or "")
    key.id, key.user_handle = bytes.fromhex(bea["passkey"]["id"]), bytes.fromhex(bea["passkey"]["userHandle"])
    key.counter = bea["passkey"]["counter"]
    private = serialization.load_pem_private_key(bea["passkey"]["key"].encode(), None)
    key.key = private  # type: ignore[assignment]
    visitor = installation.visitor()
    options = visitor.post("/login/passkey/start").json()["publicKey"]
    answer = visitor.post("/login/passkey", {"credential": key.sign(options)})
    assert answer.status == 200, answer.text
    assert (visitor.userinfo()["uid"], visitor.userinfo()["second_factor"]) == (bea["uid"], "webauthn")


def waiting(installation: Installation, accounts: Accounts, messages: SignedReceiver) -> None:
    """The links of mails that were sent before, and the merge that its hook had not taken."""
    for item in accounts.known["waiting"]:
        if item["path"] == "merge":
            eventually(lambda: messages.events("/merge"), "the merge that waited", timeout=20)
            event = messages.events("/merge")[0]
            assert (event["previous"]["uid"], event["current"]["uid"]) == (item["previous"], item["current"])
            continue
        body = {"token": item["token"], **({"new_password": NEW_PASSWORD} if item["path"] == "/password/new" else {"password": PASSWORD})}
        answer = installation.visitor().post(item["path"], body)
        assert answer.status in (200, 204), f"{item}: {answer.status} {answer.text}"
        shown = json.loads(installation.users("show", "--email", item["email"], "--format", "json"))
        assert shown["email_verified"] is True


def test_a_recorded_export_can_be_imported(recorded, tmp_path):
    folder = restore(recorded / "installations/accounts-sqlite", tmp_path / "fresh")
    (folder / "accounts.db").unlink()
    installation = Installation(folder)
    installation.users("import", str(folder / "users.jsonl"))
    assert list(differences(lines(folder / "users.jsonl"), lines(installation.users("export")))) == []


# --- Endpoints and metrics ----------------------------------------------------------------------------------------------------------


def test_every_recorded_endpoint_and_metric_is_served(version, recorded, tmp_path):
    """The program is asked: with a method that no endpoint has, each says which it has."""
    folder = restore(recorded / "installations/accounts-sqlite", tmp_path / "accounts")
    expected: dict[str, set[str]] = {}
    for line in (recorded / "names/endpoints.txt").read_text(encoding="utf-8").splitlines():
        method, path = line.split()
        if not is_retired(version, f"endpoints/{line}"):
            expected.setdefault(path, set()).add(method)
    with Installation(folder).running() as installation:
        for path, methods in expected.items():
            answer = installation.visitor().request("PATCH", "/_gateway" + path.replace("{provider}", "oidc.acme"))
            assert answer.status == 405, f"{path}: {answer.status}"
            assert methods <= set(answer.header("Allow").split(", ")), f"{path}: {answer.header('Allow')}"
        assert installation.admin("/livez").status_code == 200 and installation.admin("/readyz?verbose").status_code == 200
        token = (folder / "test-only-admin.token").read_text().strip()
        assert installation.admin("/sessions?user=x", Authorization=f"Bearer {token}").status_code == 409
        shown = set(re.findall(r"^# TYPE (\S+)", installation.admin("/metrics").text, re.MULTILINE))
    described = names.metrics()
    listed = (recorded / "names/metrics.txt").read_text(encoding="utf-8").split()
    assert [name for name in listed if name not in shown | described and not is_retired(version, f"metrics/{name}")] == []
    # Most are there from the start; the others need a session store, a certificate or a user.
    assert len([name for name in listed if name in shown]) > 20


REFUSED = [([VERSIONS[-1]], 1, "exists already"), (["0.0.999"], 1, "is version"), ([], 2, "scripts/record-compat VERSION")]


@pytest.mark.parametrize(("arguments", "status", "reason"), REFUSED, ids=["recorded", "another version", "none"])
def test_a_recorded_version_is_never_recorded_again(arguments, status, reason):
    run = subprocess.run([sys.executable, ROOT / "scripts/record-compat", *arguments], capture_output=True, text=True, timeout=60)
    assert run.returncode == status and reason in run.stderr, run.stderr

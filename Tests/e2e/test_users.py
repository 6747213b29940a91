"""`gateway users` and `gateway validate --online` for accounts (contract §8), over SQLite and over PostgreSQL."""

from __future__ import annotations

import concurrent.futures
import itertools
import json
import os
import pathlib
import pty
import re
import socket
import sqlite3
import subprocess
import threading

import pytest

from accounts import post, signed_in, userinfo
from logins import new_client
from parts.factor_devices import SoftwareKey
from parts.gateway import BINARY, run_command, session_key, write_configuration
from parts.postgres import Postgres
from parts.processes import eventually
from parts.tokens import encoded
from wire import is_readable

NUMBERS = itertools.count()
PASSWORD = "correct horse battery staple"
UID = re.compile(r"[a-z2-7]{26}")
# https://github.com/firebase/scrypt, README.md
HASH_KEY = "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA=="
HASH = ["--hash-key", HASH_KEY, "--salt-separator", "Bw==", "--rounds", "8", "--mem-cost", "14"]
FIREBASE_PASSWORD = {
    "passwordHash": "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==",
    "salt": "42xEC+ixf3L2lw==",
}


class Store:
    """A configuration with a store of its own, and the commands that work on it."""

    def __init__(self, folder: pathlib.Path, url: str, name: str, server: Postgres | None) -> None:
        self.folder, self.url, self.name, self.server = folder, url, name, server
        self.file = folder / "gateway.yaml"
        self.configure()

    def configure(self, accounts: dict | None = None, **changes) -> None:
        configuration = {
            "version": 1,
            "server": {"listen": "127.0.0.1:4180", "publicURL": "http://127.0.0.1:4180"},
            "upstream": "http://127.0.0.1:1",
            "session": {"keys": [session_key()]},
            "accounts": {"store": self.url, "keys": [session_key()], **(accounts or {})},
            "providers": [
                {"id": "github.com", "clientID": "Iv1.8a61f9b3a7aba766", "clientSecret": os.urandom(20).hex()},
                {"id": "google.com", "clientID": "1.apps.googleusercontent.com", "clientSecret": os.urandom(20).hex()},
                {"id": "microsoft.com", "tenant": "common", "clientID": "11111111-2222-3333-4444-555555555555", "clientSecret": os.urandom(20).hex()},
                {"id": "oidc.acme", "issuer": "https://auth.example.com/", "clientID": "web", "clientSecret": os.urandom(20).hex()},
                {"id": "password", "signUp": False, "minimumLength": 14},
            ],
            **changes,
        }
        write_configuration(self.file, configuration)

    def users(self, *arguments: str, input: str | bytes | None = None, status: int | None = 0) -> subprocess.CompletedProcess[str]:
        run = run_command("users", *arguments, "--config", str(self.file), folder=self.folder, input=input, timeout=60)
        assert status is None or run.returncode == status, f"{arguments}: {run.returncode}\n{run.stdout}{run.stderr}"
        return run

    def create(self, address: str, *more: str) -> str:
        uid = self.users("create", "--email", address, *more).stdout.strip()
        assert UID.fullmatch(uid)
        return uid

    def show(self, uid: str) -> dict:
        return json.loads(self.users("show", uid, "--format", "json").stdout)

    def export(self) -> list[dict]:
        return [json.loads(line) for line in self.users("export").stdout.splitlines()]

    def execute(self, statement: str) -> None:
        if self.server:
            return self.server.execute(self.name, statement)
        with sqlite3.connect(self.folder / "accounts.db") as connection:
            connection.execute(statement)
        connection.close()


@pytest.fixture(scope="module")
def postgres():
    server = Postgres()
    yield server
    server.close()


@pytest.fixture(scope="module")
def make(tmp_path_factory, postgres):
    def make(kind: str) -> Store:
        folder = tmp_path_factory.mktemp("users")
        if kind == "sqlite":
            return Store(folder, "sqlite:./accounts.db", "", None)
        name = f"users{next(NUMBERS)}"
        return Store(folder, postgres.database(name), name, postgres)

    return make


@pytest.fixture(params=["sqlite", "postgres"])
def store(request, make):
    return make(request.param)


# --- Accounts -------------------------------------------------------------------------------------------------------------


def test_an_account_is_created_found_changed_and_deleted(store):
    uid = store.create("Ada@Example.com", "--name", "Ada Lovelace", "--verified")
    other = json.loads(store.users("create", "--email", "bob@example.com", "--format", "json").stdout)
    assert other["email_verified"] is False and other["providers"] == []
    shown = store.show(uid)
    assert {key: shown[key] for key in ("uid", "email", "email_verified", "verified_by", "name", "anonymous", "disabled", "identities", "has_password")} == {
        "uid": uid, "email": "Ada@example.com", "email_verified": True, "verified_by": "operation", "name": "Ada Lovelace", "anonymous": False,
        "disabled": False, "identities": [], "has_password": False,
    }  # fmt: skip
    assert json.loads(store.users("show", "--email", "ADA@example.com", "--format", "json").stdout) == shown
    text = store.users("show", uid).stdout
    assert "Ada@example.com (verified by an operator)" in text and "password      none" in text
    assert [json.loads(line)["uid"] for line in store.users("list", "--format", "json").stdout.splitlines()] == sorted([uid, other["uid"]])
    table = store.users("list").stdout.splitlines()
    assert table[0].split() == ["UID", "E-MAIL", "PROVIDERS", "STATE"] and len(table) == 3 and max(map(len, table)) <= 80
    assert {line.split()[0]: line.split()[-1] for line in table[1:]} == {uid: "active", other["uid"]: "unverified"}

    assert "10 s" in store.users("disable", uid).stderr
    assert [line.split()[0] for line in store.users("list", "--disabled").stdout.splitlines()] == ["UID", uid]
    assert store.show(uid)["disabled"] is True
    store.users("enable", uid)
    assert store.show(uid)["disabled"] is False
    store.users("revoke", uid)
    store.users("delete", uid)
    assert "no account has the uid" in store.users("show", uid, status=1).stderr
    assert [line.split()[0] for line in store.users("list", "--email", "bob@example.com").stdout.splitlines()] == ["UID", other["uid"]]
    empty = store.users("list", "--email", "ada@example.com")
    assert empty.stdout == "" and "no account matches" in empty.stderr


def test_an_address_belongs_to_one_account(store):
    uid = store.create("ada@example.com")
    refused = store.users("create", "--email", "ADA@EXAMPLE.com", status=1)
    assert f"an account has this e-mail address already: {uid}" in refused.stderr and refused.stdout == ""
    store.configure({"onePerEmail": False})
    with concurrent.futures.ThreadPoolExecutor() as pool:
        list(pool.map(lambda _: store.create("eve@example.com"), range(3)))
    assert len(store.users("list", "--email", "eve@example.com", "--format", "json").stdout.splitlines()) == 3


def test_of_several_creations_at_once_one_wins(store):
    store.users("create", "--email", "first@example.com")  # the schema is there
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        runs = list(pool.map(lambda _: store.users("create", "--email", "ada@example.com", status=None), range(6)))
    assert sorted(run.returncode for run in runs) == [0, 1, 1, 1, 1, 1]
    assert all("an account has this e-mail address already" in run.stderr for run in runs if run.returncode)
    assert len(store.users("list", "--format", "json").stdout.splitlines()) == 2


def test_identities_get_the_issuer_of_their_provider(store):
    uid = store.create("ada@example.com")
    tenant = "https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0"
    store.users("link", uid, "github.com", "583231")
    store.users("link", uid, "oidc.acme", "ada")
    assert "one issuer for each tenant" in store.users("link", uid, "microsoft.com", "1", status=1).stderr
    assert "no identity of `microsoft.com`" in store.users("link", uid, "microsoft.com", "1", "--issuer", "https://evil.example/v2.0", status=1).stderr
    store.users("link", uid, "microsoft.com", "1", "--issuer", tenant)
    identities = {item["provider"]: (item["issuer"], item["subject"]) for item in store.show(uid)["identities"]}
    assert identities == {
        "github.com": ("https://github.com", "583231"), "oidc.acme": ("https://auth.example.com/", "ada"), "microsoft.com": (tenant, "1"),
    }  # fmt: skip
    assert [json.loads(line)["uid"] for line in store.users("list", "--provider", "oidc.acme", "--format", "json").stdout.splitlines()] == [uid]

    other = store.create("bob@example.com")
    assert "another account has this identity" in store.users("link", other, "github.com", "583231", status=1).stderr
    assert "an identity of this provider already" in store.users("link", uid, "github.com", "2", status=1).stderr
    assert "has no provider `gitlab.com`" in store.users("link", uid, "gitlab.com", "2", status=1).stderr
    assert "`password` has no identities" in store.users("link", uid, "password", "2", status=1).stderr
    assert "leave it out; the issuer is https://github.com" in store.users("link", other, "github.com", "9", "--issuer", "https://x.example", status=1).stderr

    store.users("unlink", uid, "microsoft.com")
    store.users("unlink", uid, "github.com")
    assert "no identity of this provider" in store.users("unlink", uid, "github.com", status=1).stderr
    assert "last way to sign in" in store.users("unlink", uid, "oidc.acme", status=1).stderr
    store.users("disable", other)
    assert "the account is disabled" in store.users("link", other, "google.com", "9", status=1).stderr


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ("short\n", "fewer than 14 characters"), ("thirteen char", "fewer than 14 characters"), ("", "fewer than 14 characters"),
        ("x" * 1025, "longer than 1024 bytes"), ("x" * 100_000, "longer than 1024 bytes"), ("two lines of\npassword", "control character"),
        ("password with tab\t", "control character"), (b"not UTF-8 \xff\xfe\xfd password", "not valid UTF-8"),
    ],
    ids=["short", "one too few", "empty", "long", "huge", "lines", "tab", "bytes"],
)  # fmt: skip
def test_a_weak_password_is_refused(make, given, reason):
    store = make("sqlite")
    uid = store.create("ada@example.com")
    run = subprocess.run([BINARY, "users", "set-password", uid, "--config", store.file], input=given.encode() if isinstance(given, str) else given, capture_output=True)
    assert run.returncode == 1 and reason in run.stderr.decode()
    assert store.show(uid)["has_password"] is False


def test_a_password_needs_an_account_with_an_address(make):
    store = make("sqlite")
    store.users("import", input='{"uid":"nobody"}\n')
    assert "needs an e-mail address" in store.users("set-password", "nobody", input=PASSWORD, status=1).stderr
    assert "no account has the uid `missing`" in store.users("set-password", "missing", input=PASSWORD, status=1).stderr


def test_a_terminal_does_not_show_the_password(make):
    store = make("sqlite")
    uid = store.create("ada@example.com")

    def typed(*answers: str) -> tuple[int, str]:
        child, terminal = pty.fork()
        if child == 0:
            os.execv(BINARY, [str(BINARY), "users", "set-password", uid, "--config", str(store.file)])
        shown = b""
        for prompt, answer in zip([b"New password: ", b"Again: "], answers):
            while prompt not in shown:
                assert is_readable(terminal, 60), shown
                shown += os.read(terminal, 1024)
            os.write(terminal, answer.encode())
        try:
            while data := os.read(terminal, 1024):
                shown += data
        except OSError:  # the other end is closed
            pass
        os.close(terminal)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), shown.decode()

    status, shown = typed(PASSWORD + "\n", "another horse, another\n")
    assert status == 1 and "the two passwords differ" in shown
    status, shown = typed(PASSWORD + "\n", PASSWORD + "\n")
    assert status == 0 and "set the password" in shown and "horse" not in shown
    assert store.show(uid)["has_password"] is True
    assert typed("\x03")[0] == 130


# --- With the gateway -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def served(request, start_gateway, dev, postgres, tmp_path_factory):
    store = f"sqlite:{tmp_path_factory.mktemp('served')}/accounts.db"
    if request.param == "postgres":
        store = postgres.database(f"users{next(NUMBERS)}")
    providers = [{**dev.configuration, "id": "oidc.one"}, {"id": "password", "signUp": False}]
    return start_gateway({"providers": providers, "accounts": {"store": store, "keys": [session_key()]}})


def users(gateway, *arguments: str, input: str | None = None) -> str:
    run = run_command("users", *arguments, "--config", str(gateway.file), input=input)
    assert run.returncode == 0, run.stderr
    return run.stdout.strip()


def log_in(gateway, address: str, password: str):
    client = new_client()
    return client, post(gateway, client, "/login/password", json={"email": address, "password": password})


def is_signed_in(gateway, client) -> bool:
    return client.get(gateway.own("/userinfo"), timeout=60).status_code == 200


def test_an_operators_password_opens_the_account_until_it_is_disabled(served):
    uid = users(served, "create", "--email", "ada@example.org", "--verified")
    users(served, "set-password", uid, input=PASSWORD + "\n")
    client, answer = log_in(served, "ada@example.org", PASSWORD)
    assert answer.status_code in (200, 204), answer.text
    assert userinfo(served, client)["uid"] == uid
    for command in ("revoke", "disable"):
        users(served, command, uid)
        eventually(lambda: not is_signed_in(served, client), f"{command}: the session ends", timeout=60)
        client, answer = log_in(served, "ada@example.org", PASSWORD)
        assert answer.ok == (command == "revoke"), answer.text
    users(served, "enable", uid)
    client, answer = log_in(served, "ada@example.org", PASSWORD)
    assert answer.ok
    users(served, "delete", uid)
    eventually(lambda: not is_signed_in(served, client), "deleted: the session ends", timeout=60)


def test_a_linked_identity_opens_the_account(served, dev):
    derived = userinfo(served, signed_in(served, dev, "one", "alice"))["uid"]
    exported = [json.loads(line) for line in users(served, "export").splitlines()]
    identity = next(item for item in exported if item["uid"] == derived)["identities"][0]
    users(served, "delete", derived)
    uid = users(served, "create", "--email", "somebody@example.org")
    users(served, "link", uid, "oidc.one", identity["subject"])
    assert json.loads(users(served, "show", uid, "--format", "json"))["identities"][0]["issuer"] == identity["issuer"]
    assert userinfo(served, signed_in(served, dev, "one", "alice"))["uid"] == uid


def test_a_firebase_user_signs_in_with_the_old_password_and_uid(served, tmp_path):
    file = tmp_path / "users.json"
    file.write_text(json.dumps({"users": [{"localId": "Zx9KqLm2Nop3QrStUvWxYz012345", "email": "fire@example.org", "emailVerified": True, **FIREBASE_PASSWORD}]}))
    users(served, "import", "--from", "firebase", str(file), *HASH)
    assert not log_in(served, "fire@example.org", "user2password")[1].ok
    client, answer = log_in(served, "fire@example.org", "user1password")
    assert answer.ok, answer.text
    assert userinfo(served, client)["uid"] == "Zx9KqLm2Nop3QrStUvWxYz012345"
    exported = [json.loads(line) for line in users(served, "export").splitlines()]
    assert "firebase" not in next(item for item in exported if item["uid"].startswith("Zx9"))["password_hash"], "hashed anew at the sign-in"


# --- Export and import ----------------------------------------------------------------------------------------------------


def fill(store: Store) -> None:
    ada = store.create("Ada@example.com", "--name", 'Ada "Countess"\u00a0Lovelace \u202e\U0001f469', "--verified")
    store.users("link", ada, "github.com", "583231")
    store.users("link", ada, "oidc.acme", "e\u0301 \u00e9")
    store.users("set-password", ada, input=PASSWORD)
    store.users("disable", store.create("bob@b\u00fccher.example"))
    key = SoftwareKey("http://127.0.0.1:4180")
    factors = [
        {"id": "app", "type": "totp", "display_name": "App", "enrolled_at": "2026-11-26T02:39:55.061Z", "secret": "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", "last_step": 1},
        {"id": "number", "type": "phone", "enrolled_at": "2026-11-26T02:39:55.062Z", "phone": "+4915112341234"},
        {"id": "key", "type": "webauthn", "enrolled_at": "2026-11-26T02:39:55.063Z",
         "credential": {"id": encoded(key.id), "public_key": encoded(key.public_key()), "counter": 7, "transports": ["usb"]}},
        {"id": "codes", "type": "recovery", "enrolled_at": "2026-11-26T02:39:55.064Z", "code_digests": [encoded(bytes(32)), encoded(b"1" * 32)]},
    ]  # fmt: skip
    store.users("import", input=json.dumps({"uid": "factors", "email": "factors@example.com", "email_verified": True, "second_factors": factors}))
    lines = [{"uid": f"user{number:04}", "email": f"user{number}@example.com", "anonymous": number % 2 == 0} for number in range(1_100)]
    store.users("import", "-", input="".join(json.dumps(line) + "\n" for line in lines))


@pytest.mark.parametrize(("source", "target"), [("sqlite", "postgres"), ("postgres", "sqlite")])
def test_an_import_into_another_store_is_exported_byte_for_byte(make, tmp_path, source, target):
    first, second = make(source), make(target)
    fill(first)
    exported = first.users("export")
    assert "exported 1103 accounts" in exported.stderr and len(exported.stdout.splitlines()) == 1_103
    assert '"password_hash":"$' in exported.stdout
    moved = next(item for item in map(json.loads, exported.stdout.splitlines()) if item["uid"] == "factors")["second_factors"]
    assert [factor["type"] for factor in moved] == ["totp", "phone", "webauthn", "recovery"] and moved[1]["phone"] == "+4915112341234"
    file = tmp_path / "accounts.jsonl"
    file.write_text(exported.stdout)
    assert "imported 1103 accounts" in second.users("import", str(file)).stderr
    assert second.users("export").stdout == exported.stdout
    again = second.users("import", str(file), status=1)
    assert "line 1000: not imported: an account has the uid" in again.stderr
    assert "imported 0 accounts; 1103 were not imported" in again.stderr and len(again.stderr.splitlines()) < 1_010
    assert second.users("export").stdout == exported.stdout


def test_lines_that_are_no_accounts_are_reported_and_the_others_imported(store):
    store.users("import", input='{"uid":"a","email":"a@example.com","identities":[{"provider":"p","issuer":"i","subject":"s"}]}')
    lines = [
        '{"uid":"b","email":"b@example.com"}', "", "not JSON", '{"uid":"a"}', '{"uid":"c","email":"A@example.com"}',
        '{"uid":"d","identities":[{"provider":"p","issuer":"i","subject":"s"}]}', '{"uid":"e","role":"admin"}', '{"uid":"x@example.com"}',
        '{"uid":"f","email":"f@example.com","password_hash":"$argon2id$v=19$m=99999999,t=9,p=9$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA"}',
        '{"uid":"g","name":"' + "x" * (1 << 20) + '"}', '{"uid":"h"}',
    ]  # fmt: skip
    check = store.users("import", "--dry-run", input="\n".join(lines), status=1)
    assert "would import 5 accounts; 5 were not imported" in check.stderr
    assert len(store.export()) == 1
    run = store.users("import", input="\n".join(lines), status=1)
    reports = dict(re.findall(r"^line (\d+): not imported: (.*)$", run.stderr, re.MULTILINE))
    assert {int(line): reason.split(":")[0][:40] for line, reason in reports.items()} == {
        3: "it is not JSON", 4: "an account has the uid a already", 5: "another account has the e-mail address o", 6: "another account has an identity of d",
        7: "the member `role` is unknown", 8: "the uid is not 1 to 128 ASCII letters, d", 9: "`password_hash` is not a PHC string of a",
        10: "it is longer than 1024 KiB",
    }  # fmt: skip
    assert "imported 2 accounts; 8 were not imported" in run.stderr
    assert [item["uid"] for item in store.export()] == ["a", "b", "h"]


def firebase(folder: pathlib.Path, *given: dict, text: str | None = None) -> str:
    file = folder / "users.json"
    file.write_text(text if text is not None else json.dumps({"users": list(given)}, indent=1))
    return str(file)


def test_a_firebase_export_is_imported_and_what_is_left_out_is_counted(store, tmp_path):
    file = firebase(
        tmp_path,
        {
            "localId": "Zx9KqLm2Nop3QrStUvWxYz012345", "email": "ada@example.com", "emailVerified": True, "displayName": "Ada", "disabled": True,
            "createdAt": "1600000000456", "lastSignedInAt": "1700000000123", "customAttributes": '{"admin":true}', "phoneNumber": "+15550100",
            **FIREBASE_PASSWORD, "mfaInfo": [{"phoneInfo": "+15550101", "mfaEnrollmentId": "1"}, {"totpInfo": {}, "mfaEnrollmentId": "2"}],
            "providerUserInfo": [
                {"providerId": "google.com", "rawId": "1234", "email": "ada@example.com", "displayName": "Ada"},
                {"providerId": "password", "rawId": "ada@example.com"}, {"providerId": "phone", "rawId": "+15550100"},
                {"providerId": "facebook.com", "rawId": "9"}, {"providerId": "microsoft.com", "rawId": "8"},
            ],
        },
        {"localId": "second", "email": "x@example.com", "providerUserInfo": [{"providerId": "oidc.acme", "rawId": "x"}]},
        {"localId": "anonymous"},
        {"localId": "bad uid"},
    )  # fmt: skip
    undecided = store.users("import", "--from", "firebase", file, status=1)
    assert "1 user of the export with a password; nothing was imported" in undecided.stderr and "--no-passwords" in undecided.stderr
    run = store.users("import", "--from", "firebase", file, *HASH, status=1)
    assert "imported 3 accounts; 1 were not imported" in run.stderr
    assert re.search(r"^line \d+: not imported: `localId`: the uid", run.stderr, re.MULTILINE)
    for text in (
        "facebook.com, which the configuration does not have, as an identity of 1 user", "microsoft.com, whose issuer depends on the user's tenant",
        "the phone number of 1 user", "a second factor whose secret is not in the export, of 1 user", "the custom claims of 1 user",
        "without any way to sign in: 1 user",
    ):  # fmt: skip
        assert text in run.stderr, run.stderr
    assert HASH_KEY not in run.stderr and "ada@example.com" not in run.stderr
    first, second, anonymous = sorted(store.export(), key=lambda item: item["uid"])
    assert first["password_hash"].startswith("$firebase-scrypt$ln=14,r=8,p=1$")
    assert (first["created_at"], first["last_sign_in_at"]) == ("2020-09-13T12:26:40.456Z", "2023-11-14T22:13:20.123Z")
    assert [(item["provider"], item["issuer"], item["subject"]) for item in first["identities"]] == [("google.com", "https://accounts.google.com", "1234")]
    assert first["disabled"] and first["verified_by"] == "operation"
    assert [(factor["type"], factor["phone"]) for factor in first["second_factors"]] == [("phone", "+15550101")]
    assert "15550101" not in run.stderr
    assert {anonymous["uid"], second["uid"]} == {"anonymous", "second"}
    assert {item["uid"]: item["anonymous"] for item in (second, anonymous)} == {"anonymous": True, "second": False}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"users":[{"localId":"a"},', "ends too early"), ("localId,email\n", "not a Firebase Auth export"), ("{}", "no list `users`"),
        ('{"users":[{"localId":"a"}]', "ends too early"), ('{"users":[{"localId":"a"}]} x', "not JSON"),
    ],
)  # fmt: skip
def test_a_damaged_firebase_export_changes_nothing(make, tmp_path, text, reason):
    store = make("sqlite")
    store.create("first@example.com")
    run = store.users("import", "--from", "firebase", firebase(tmp_path, text=text), status=1)
    assert reason in run.stderr
    assert len(store.export()) == 1


def test_a_firebase_import_can_be_checked_first_and_can_leave_passwords_out(make, tmp_path):
    store = make("sqlite")
    file = firebase(tmp_path, {"localId": "a", "email": "a@example.com", **FIREBASE_PASSWORD}, {"localId": "b", "email": "b@example.com", "passwordHash": "UkVEQUNURUQ="})
    check = store.users("import", "--from", "firebase", file, *HASH, "--dry-run", status=1)
    assert "would import 1 account; 1 were not imported" in check.stderr and "its password hash is redacted" in check.stderr
    assert not (store.folder / "accounts.db").exists()
    run = store.users("import", "--from", "firebase", file, "--no-passwords")
    assert "left out: the password of 2 users" in run.stderr
    assert not any("password_hash" in item for item in store.export())


# --- Failures -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ["show"], ["show", "a", "--email", "a@example.com"], ["list", "--email", "nobody"], ["create"], ["create", "--email", "nobody"], ["link", "a", "github.com"],
        ["link", "a", "github.com", ""], ["disable"], ["disable", ""], ["frobnicate"], ["list", "--format", "yaml"], ["import", "--hash-key", "x"],
        ["import", "--from", "firebase"], ["import", "--from", "firebase", "-"], ["import", "--from", "firebase", "x", "--rounds", "8"],
        ["import", "--from", "firebase", "x", *HASH, "--no-passwords"], ["import", "--from", "firebase", "x", *HASH[:-1], "99"],
        ["export", "--config", "-"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_wrong_usage(tmp_path, arguments):
    store = Store(tmp_path, "sqlite:./accounts.db", "", None)
    store.users("import", input='{"uid":"a"}')
    run = run_command("users", *arguments, *([] if "--config" in arguments else ["--config", str(store.file)]), folder=tmp_path)
    assert run.returncode == 2 and run.stdout == "" and run.stderr, run.stdout + run.stderr


def test_a_configuration_without_accounts(tmp_path):
    write_configuration(tmp_path / "gateway.yaml", {"version": 1, "upstream": "http://127.0.0.1:1", "routes": [{"path": "/**", "access": "public"}]})
    run = run_command("users", "list", folder=tmp_path)
    assert run.returncode == 1 and "gateway.yaml has no `accounts`" in run.stderr


def test_the_configuration_is_found_as_run_finds_it(tmp_path):
    store = Store(tmp_path, "sqlite:./accounts.db", "", None)
    uid = store.create("ada@example.com")
    assert uid in run_command("users", "list", folder=tmp_path).stdout
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    assert uid in run_command("users", "list", folder=elsewhere, environment={"GATEWAY_CONFIG": str(store.file)}).stdout
    assert "no configuration file found" in run_command("users", "list", folder=elsewhere).stderr


def test_a_store_that_does_not_exist_is_not_created_by_looking(tmp_path):
    store = Store(tmp_path, "sqlite:./accounts.db", "", None)
    for command in (["list"], ["export"], ["show", "a"], ["disable", "a"], ["reseal"]):
        assert "the account store does not exist" in store.users(*command, status=1).stderr
    assert not (tmp_path / "accounts.db").exists()


def test_a_newer_schema_is_refused(store):
    store.create("ada@example.com")
    store.execute("UPDATE gateway_schema SET version = 99")
    for command in (["list"], ["create", "--email", "b@example.com"], ["export"], ["reseal"]):
        assert "schema version 99" in store.users(*command, status=1).stderr
    findings = online(store)
    assert [(item["rule"], item["severity"]) for item in findings] == [("account-store-schema", "error")] and "version 99" in findings[0]["message"]


def test_an_unreachable_store_is_named_without_its_password(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    store = Store(tmp_path, f"postgres://gateway:hunter2-hunter2@127.0.0.1:{port}/db", "", None)
    run = store.users("list", status=1)
    assert "the account store cannot be opened" in run.stderr and "hunter2" not in run.stderr
    findings = online(store)
    assert [(item["rule"], item["severity"]) for item in findings] == [("account-store-unreachable", "warning")]
    assert "hunter2" not in json.dumps(findings)


def test_resealing_counts_what_is_sealed_and_fails_for_what_no_key_opens(store):
    uid = store.create("ada@example.com")
    assert "resealed 0 values" in store.users("reseal").stderr
    secret = "X'00112233'" if store.server is None else "'\\x00112233'"
    store.execute(f"INSERT INTO factors (id, uid, type, enrolled_at, position, secret) VALUES ('f1', '{uid}', 'totp', 1, 1, {secret})")
    run = store.users("reseal", status=1)
    assert "resealed 0 values" in run.stderr and "1 value cannot be opened with any key" in run.stderr
    run = store.users("export", status=1)
    assert "accounts.keys" in run.stderr and uid not in run.stdout, "an export without a user's factor would open the account with one"


def test_changes_are_recorded_in_the_audit_file(tmp_path):
    store = Store(tmp_path, "sqlite:./accounts.db", "", None)
    store.configure(audit={"to": str(tmp_path / "audit.log")})
    uid = store.create("ada@example.com")
    store.users("link", uid, "github.com", "1")
    store.users("set-password", uid, input=PASSWORD)
    store.users("unlink", uid, "github.com")
    store.users("delete", uid)
    store.users("import", input='{"uid":"imported"}')
    records = [json.loads(line) for line in (tmp_path / "audit.log").read_text().splitlines()]
    assert [(item["event"], item["uid"], item["actor"]) for item in records] == [
        *((event, uid, "operator") for event in ("account.create", "account.link", "account.password", "account.unlink", "account.delete")),
        ("account.create", "imported", "operator"),
    ]
    assert "ada@example.com" not in (tmp_path / "audit.log").read_text()

    store.configure(audit={"to": str(tmp_path / "missing/audit.log"), "onFailure": "refuse"})
    assert "the audit file" in store.users("create", "--email", "b@example.com", status=1).stderr
    store.configure(audit={"to": str(tmp_path / "missing/audit.log")})
    assert "the change is not recorded" in store.users("create", "--email", "b@example.com").stderr


# --- validate --online, providers -----------------------------------------------------------------------------------------


def online(store: Store) -> list[dict]:
    run = run_command("validate", "--online", "--format", "json", str(store.file), folder=store.folder)
    return [item for item in json.loads(run.stdout)["diagnostics"] if item["rule"].startswith("account-store-")]


def test_online_reports_the_schema_and_changes_nothing(store):
    store.configure(providers=[{"id": "password", "signUp": False}])
    before = online(store)
    assert [item["message"] for item in before] == ["the account store is empty (responds)"]
    assert not (store.folder / "accounts.db").exists()
    store.create("ada@example.com")
    after = online(store)
    assert len(after) == 1 and re.fullmatch(r"the account store has schema version \d+ \(responds\)", after[0]["message"]) and after[0]["severity"] == "note"
    store.execute("UPDATE gateway_schema SET version = 2")
    assert "version 2" in online(store)[0]["message"] and "migrates it" in online(store)[0]["help"]
    assert "version 2" in online(store)[0]["message"], "the probe migrates nothing"


def test_online_reports_files_that_are_no_stores(tmp_path):
    store = Store(tmp_path, "sqlite:./accounts.db", "", None)
    store.configure(providers=[{"id": "password", "signUp": False}])
    (tmp_path / "accounts.db").write_bytes(b"not a database, but a text of some length " * 100)
    (tmp_path / "accounts.db").chmod(0o600)
    assert "no SQLite database" in online(store)[0]["message"]
    assert (tmp_path / "accounts.db").read_bytes().startswith(b"not a database")
    store.url = "sqlite:./missing/accounts.db"
    store.configure(providers=[{"id": "password", "signUp": False}])
    assert any("folder does not exist" in item["message"] for item in online(store))


def test_online_does_not_wait_for_a_server_that_does_not_answer(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        connections: list[socket.socket] = []
        threading.Thread(target=lambda: connections.append(silent.accept()[0]), daemon=True).start()
        store = Store(tmp_path, f"postgres://gateway:hunter2-hunter2@127.0.0.1:{silent.getsockname()[1]}/db?sslmode=disable", "", None)
        store.configure(providers=[{"id": "password", "signUp": False}])
        findings = online(store)
    assert [item["rule"] for item in findings] == ["account-store-unreachable"] and "hunter2" not in json.dumps(findings)


@pytest.mark.parametrize("name", ["password", "anonymous"])
def test_the_gateways_own_providers_are_explained(name):
    run = run_command("providers", name)
    assert run.returncode == 0 and run.stderr == ""
    assert f"`{name}` is the gateway itself" in run.stdout and "`accounts`" in run.stdout

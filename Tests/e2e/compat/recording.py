"""Records an installation of every kind with the current program: `scripts/record-compat VERSION` calls `record`."""

from __future__ import annotations

import json
import pathlib
import re
import secrets
import shutil
import tempfile
import time
from typing import Any
from urllib.parse import parse_qs, urlsplit

from cryptography.hazmat.primitives import serialization

from forms import forms_of
from parts.authenticator import SoftAuthenticator
from parts.factor_devices import CodeApp
from parts.gateway import run_command, session_key
from parts.mailbox import Mailbox
from parts.postgres import Postgres
from parts.redis_server import RedisServer
from parts.signed_receiver import SignedReceiver
from parts.upstream import Upstream

from . import names
from .configurations import record_configurations
from .installation import Installation, write_secret
from .provider import ISSUER, RecordedProvider, new_key
from .redis_dump import dump
from .visitor import NAVIGATION, Answer, Visitor

SOURCES = pathlib.Path(__file__).parent
# The origin of the token endpoint of `oauth2.legacy` is in the user ids and must not change.
PROVIDER_PORT = 25963
PASSWORD = "correct horse battery staple"
FIREBASE = ["--hash-key", "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA=="]
FIREBASE += ["--salt-separator", "Bw==", "--rounds", "8", "--mem-cost", "14"]
# https://github.com/firebase/scrypt, README.md
FIREBASE_USER = {
    "localId": "Zx9KqLm2Nop3QrStUvWxYz012345", "email": "fay@example.com", "emailVerified": True,
    "passwordHash": "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==", "salt": "42xEC+ixf3L2lw==",
}  # fmt: skip
FIREBASE_PASSWORD = "user1password"


def person(name: str, **claims: Any) -> dict[str, Any]:
    return {
        "sub": f"subject-of-{name}", "email": f"{name}@example.com", "email_verified": True, "preferred_username": name,
        "name": f"{name.title()} Zoë Example", "picture": f"https://login.example.com/{name}.png", "locale": "de",
        "groups": ["staff", "admins"], **claims,
    }  # fmt: skip


PEOPLE: dict[str, dict[str, Any]] = {
    "openid": person("openid", department="engineering"),
    "groups": person("groups", groups=[f"engineering-team-{number:04}-{secrets.token_hex(8)}" for number in range(300)]),
    "assurance": person("assurance", acr="phr", amr=["pwd", "mfa"], email_verified=False),
    "refresh": person("refresh"),
    "bound": person("bound"),
    "exchange": person("exchange"),
    "ended": person("ended"),
    "github": {
        "id": 583231, "login": "octo", "name": "Octo Example", "email": "octo@example.com",
        "avatar_url": "https://login.example.com/octo.png",
    },
    "legacy": {
        "id": "legacy-7", "email": "legacy@example.com", "confirmed": True, "preferred_username": "legacy",
        "name": "Legacy Example", "groups": ["old"],
    },
    "carl": person("carl"),
    "dora": person("dora"),
    "hana": person("hana"),
    "conflict": person("conflict", email="ada@example.com"),
}  # fmt: skip
# Their access tokens have expired whenever a test runs: it sees the refresh.
EXTRAS: dict[str, dict[str, Any]] = {
    "refresh": {"refresh_token": "refresh.test-only-8c1f", "expires_in": 2},
    "bound": {"refresh_token": "bound.test-only-2d7a", "expires_in": 2},
}


# --- What every installation has -------------------------------------------------------------------------------------------


def prepare(target: pathlib.Path, name: str, provider_key: str) -> None:
    """The folder of an installation: its configuration and its keys."""
    target.mkdir(parents=True)
    text = (SOURCES / "installations" / f"{name}.yaml").read_text(encoding="utf-8")
    (target / "gateway.yaml").write_text(text, encoding="utf-8")
    for file in sorted(set(re.findall(r"\$\{file:\./(test-only-[a-z.-]+)\}", text))):
        if file.endswith(".pem"):
            made = run_command("keygen", "assertion").stdout
        else:
            made = session_key() if file.endswith(".key") else secrets.token_hex(20)
        write_secret(target / file, made)
    write_secret(target / "test-only-provider.pem", provider_key)


def sign_in(visitor: Visitor, provider: str, who: str) -> Answer:
    """From the gateway to the provider and back; the callback's answer."""
    hint = "login" if provider == "github.com" else "login_hint"
    return follow(visitor, visitor.own(f"/login/{provider}?rd=/&{hint}={who}", NAVIGATION))


def follow(visitor: Visitor, begun: Answer, hint: str = "") -> Answer:
    assert begun.status in (302, 303), f"{begun.status}: {begun.text[:800]}"
    location = urlsplit(begun.header("Location"))
    provider = Visitor(PROVIDER_PORT, f"http://127.0.0.1:{PROVIDER_PORT}")
    answer = provider.get(location.path + "?" + location.query + hint)
    return visitor.get(answer.header("Location"), NAVIGATION)


def session(name: str, visitor: Visitor, **more: Any) -> dict[str, Any]:
    """What a test shows to the program, and what it must answer."""
    cookies = visitor.session()
    return {"name": name, "cookies": cookies, "userinfo": Visitor(visitor.port, visitor.public_url, dict(cookies)).userinfo(), **more}


def signed_out(name: str, visitor: Visitor) -> dict[str, Any]:
    """A session that its user has ended, and the error that its cookie gets."""
    recorded = session(name, visitor)
    page = visitor.own("/logout", NAVIGATION)
    form = next(form for form in forms_of(page.text) if form.method == "post")
    answer = visitor.request("POST", form.action, form=form.fields, headers={**NAVIGATION, "Sec-Fetch-Site": "same-origin"})
    assert answer.status == 303, answer.text[:500]
    refused = Visitor(visitor.port, visitor.public_url, dict(recorded["cookies"])).own("/userinfo")
    assert refused.status == 401, refused.text
    return {**recorded, "code": refused.code}


def transaction(name: str, installation: Installation, begun: Answer, visitor: Visitor, known: dict[str, str]) -> dict[str, Any]:
    """A sign-in that is under way: its cookie, and what the provider was sent. The cookie lives for ten minutes."""
    cookie = next((cookie, value) for cookie, value in visitor.cookies.items() if "-login-" in cookie and cookie not in known)
    query = {key: values[0] for key, values in parse_qs(urlsplit(begun.header("Location")).query).items()}
    key = installation.folder / "test-only-session.key"
    return {
        "name": name, "publicURL": installation.public_url, "sessionKey": key.read_text().strip(), "cookie": cookie[0], "value": cookie[1],
        "time": int(time.time() * 1000), "authorization": query,
    }  # fmt: skip


def write(path: pathlib.Path, document: Any) -> None:
    path.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


# --- Sessions without accounts -----------------------------------------------------------------------------------------------


def record_cookies(target: pathlib.Path, provider: RecordedProvider, key: str) -> list[dict[str, Any]]:
    prepare(target, "cookies", key)
    upstream = Upstream()
    with Installation(target, PROVIDER_PORT=PROVIDER_PORT, UPSTREAM_PORT=upstream.port).running() as installation:
        sessions = []
        kinds = [
            ("openid", "oidc.acme", "openid"), ("several cookies", "oidc.acme", "groups"), ("context class", "oidc.acme", "assurance"),
            ("refresh token", "oidc.acme", "refresh"), ("DPoP", "oidc.bound", "bound"), ("GitHub", "github.com", "github"),
            ("OAuth 2.0", "oauth2.legacy", "legacy"),
        ]  # fmt: skip
        for name, provider_id, who in kinds:
            visitor = installation.visitor()
            answer = sign_in(visitor, provider_id, who)
            assert answer.status == 303, f"{name}: {answer.status} {answer.text[:800]}"
            sessions.append(session(name, visitor, person=who))
        assert len(sessions[1]["cookies"]) > 1, "the session with many groups has several cookies"
        visitor = installation.visitor()
        answer = visitor.post("/session", {"provider": "oidc.acme", "id_token": provider.id_token("exchange")})
        assert answer.status == 200, answer.text
        sessions.append(session("exchanged token", visitor, person="exchange"))
        visitor = installation.visitor()
        sign_in(visitor, "oidc.acme", "ended")
        ended = signed_out("signed out", visitor)

        visitor, transactions = installation.visitor(), []
        for name, start in (("OpenID Connect", "oidc.acme?rd=/deep?x=1"), ("DPoP", "oidc.bound?rd=/deep"), ("GitHub", "github.com")):
            known = dict(visitor.cookies)
            transactions.append(transaction(name, installation, visitor.own(f"/login/{start}", NAVIGATION), visitor, known))
        # The key that the refresh must prove: of the session that was recorded, which no other answer shows.
        thumbprints = dict(provider.thumbprints)
        marker = "m" + secrets.token_hex(8)
        answer = installation.visitor(sessions[0]["cookies"]).get(f"/{marker}")
        assert answer.status == 200, answer.text
        headers = dict(upstream.only(marker).headers)
        jwks = installation.visitor().own("/jwks.json").json()
    upstream.close()
    # What differs from request to request is recorded by its name alone.
    varying = ("X-Request-Id", "X-Gateway-Assertion", "X-Forwarded-For")
    stable = {name: value for name, value in headers.items() if name.startswith(("X-", "Remote-")) and name not in varying}
    write(
        target / "recorded.json",
        {
            "sessions": sessions, "ended": [ended], "headers": stable,
            "headerNames": sorted(name for name in headers if name not in ("Accept", "Accept-Encoding")),
            "jwks": jwks, "thumbprint": thumbprints["bound"],
        },
    )  # fmt: skip
    return transactions


def record_small(target: pathlib.Path, name: str, key: str) -> list[dict[str, Any]]:
    """One session, under other names of cookies."""
    prepare(target, name, key)
    with Installation(target, PROVIDER_PORT=PROVIDER_PORT).running() as installation:
        visitor = installation.visitor()
        assert sign_in(visitor, "oidc.acme", "openid").status == 303
        sessions = [session(f"{name} openid", visitor)]
        visitor = installation.visitor()
        transactions = [transaction(name, installation, visitor.own("/login/oidc.acme?rd=/deep", NAVIGATION), visitor, {})]
    write(target / "recorded.json", {"sessions": sessions, "ended": []})
    return transactions


def record_redis(target: pathlib.Path, key: str, work: pathlib.Path) -> None:
    prepare(target, "redis", key)
    server = RedisServer(work).start()
    try:
        with Installation(target, PROVIDER_PORT=PROVIDER_PORT, REDIS_PORT=server.port).running() as installation:
            sessions = []
            for name, who in (("openid in Redis", "openid"), ("many groups in Redis", "groups"), ("refresh token in Redis", "refresh")):
                visitor = installation.visitor()
                assert sign_in(visitor, "oidc.acme", who).status == 303
                sessions.append(session(name, visitor, person=who))
            sessions[0]["sessions"] = installation.visitor(sessions[0]["cookies"]).own("/sessions").json()
            visitor = installation.visitor()
            sign_in(visitor, "oidc.acme", "ended")
            ended = signed_out("signed out in Redis", visitor)
        dump(server.port, target / "redis.txt")
    finally:
        server.kill()
    write(target / "recorded.json", {"sessions": sessions, "ended": [ended]})


# --- Accounts ------------------------------------------------------------------------------------------------------------------


class AccountsRecorder:
    """Makes accounts of every kind through the endpoints and the commands."""

    def __init__(self, installation: Installation, mailbox: Mailbox, messages: SignedReceiver) -> None:
        self.installation, self.mailbox, self.messages = installation, mailbox, messages
        self.users: list[dict[str, Any]] = []
        self.sessions: list[dict[str, Any]] = []
        self.mails: list[dict[str, Any]] = []
        self.pending: list[dict[str, Any]] = []
        self.transactions: list[dict[str, Any]] = []

    def fresh(self) -> Visitor:
        return self.installation.visitor()

    def create(self, name: str) -> str:
        uid = self.installation.users("create", "--email", f"{name}@example.com", "--name", f"{name.title()} Example", "--verified").strip()
        self.installation.users("set-password", uid, input=PASSWORD + "\n")
        return uid

    def password(self, name: str, visitor: Visitor | None = None, status: int = 200) -> Visitor:
        visitor = visitor or self.fresh()
        answer = visitor.post("/login/password", {"email": f"{name}@example.com", "password": PASSWORD})
        assert answer.status == status, f"{name}: {answer.status} {answer.text}"
        return visitor

    def start(self, visitor: Visitor, kind: str, **more: str) -> dict[str, Any]:
        answer = visitor.post("/account/second-factors/start", {"type": kind, "display_name": f"My {kind}", **more})
        assert answer.status == 200, answer.text
        return answer.json()

    def verify(self, visitor: Visitor, begun: dict[str, Any], **proof: Any) -> None:
        answer = visitor.post("/account/second-factors/verify", {"enrollment": begun["enrollment"], **proof})
        assert answer.status == 204, answer.text

    def hint(self, visitor: Visitor, kind: str) -> str:
        return next(hint["id"] for hint in visitor.own("/second-factor").json()["hints"] if hint["type"] == kind)

    def cookie(self, kind: str, name: str, visitor: Visitor, **more: Any) -> None:
        """A cookie of ten minutes."""
        key = (self.installation.folder / "test-only-accounts.key").read_text().strip()
        pieces = {cookie: value for cookie, value in visitor.cookies.items() if name in cookie}
        assert pieces, visitor.cookies
        site = self.installation.public_url
        self.pending.append({"kind": kind, "accountsKey": key, "site": site, "cookies": pieces, "time": int(time.time() * 1000), **more})

    def ada(self) -> None:
        """A password that was registered and confirmed by mail, an authenticator app, recovery codes, and a remembered browser."""
        visitor = self.fresh()
        assert visitor.post("/sign-up", {"email": "ada@example.com", "password": PASSWORD}).status == 204
        assert visitor.post("/verify-email", {"token": self.mailbox.token("ada@example.com"), "password": PASSWORD}).status == 204
        self.password("ada", visitor)
        begun = self.start(visitor, "totp")
        app = CodeApp(begun["secret"])
        self.verify(visitor, begun, code=app.code())
        codes = self.start(visitor, "recovery")["codes"]
        visitor = self.password("ada", status=401)
        self.cookie("second factor", "-factor", visitor)
        proof = {"factor": self.hint(visitor, "totp"), "code": app.code(), "remember": "true"}
        answer = visitor.post("/second-factor/verify", proof)
        assert answer.status == 200, answer.text
        browser = {name: value for name, value in visitor.cookies.items() if name.endswith("-browser")}
        assert browser, visitor.cookies
        recorded = session("password and authenticator app", visitor)
        self.sessions.append(recorded)
        self.pending[-1]["uid"] = recorded["userinfo"]["uid"]
        self.users.append(
            {"name": "ada", "uid": recorded["userinfo"]["uid"], "email": "ada@example.com", "password": PASSWORD, "totp": begun["secret"],
             "recovery": codes, "browser": browser}
        )  # fmt: skip

    def bea(self) -> None:
        """A password from the command line, and a passkey."""
        uid = self.create("bea")
        visitor = self.password("bea")
        key = SoftAuthenticator(self.installation.public_url, "app.example.com")
        begun = self.start(visitor, "webauthn")
        self.verify(visitor, begun, credential=key.register(begun["publicKey"]))
        visitor = self.fresh()
        options = visitor.post("/login/passkey/start").json()["publicKey"]
        self.cookie("passkey", "-passkey", visitor, challenge=options["challenge"])
        answer = visitor.post("/login/passkey", {"credential": key.sign(options)})
        assert answer.status == 200, answer.text
        self.sessions.append(session("passkey", visitor))
        pem = key.key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode()
        passkey = {"id": key.id.hex(), "key": pem, "userHandle": key.user_handle.hex(), "counter": key.counter}
        self.users.append({"name": "bea", "uid": uid, "email": "bea@example.com", "password": PASSWORD, "passkey": passkey})

    def carl(self) -> None:
        """A provider's identity, and a phone number."""
        visitor = self.fresh()
        assert sign_in(visitor, "oidc.acme", "carl").status == 303
        begun = self.start(visitor, "phone", phone="+4915112345678")
        self.verify(visitor, begun, code=self.messages.events("/send")[-1]["code"])
        recorded = session("OpenID Connect and phone", visitor)
        self.sessions.append(recorded)
        self.users.append({"name": "carl", "uid": recorded["userinfo"]["uid"], "person": "carl", "phone": "+4915112345678"})

    def dora(self) -> None:
        """Two identities and a password; sign-ins that are under way to link and to sign in again."""
        visitor = self.fresh()
        assert sign_in(visitor, "oidc.acme", "dora").status == 303
        uid = visitor.userinfo()["uid"]
        known = dict(visitor.cookies)
        begun = visitor.post("/link/oidc.beta?rd=/linked")
        self.transactions.append({**transaction("link", self.installation, begun, visitor, known), "uid": uid})
        answer = follow(visitor, begun, "&login_hint=dora")
        assert answer.status == 303, answer.text[:500]
        known = dict(visitor.cookies)
        begun = visitor.own("/reauthenticate?rd=/again", NAVIGATION)
        self.transactions.append({**transaction("reauthenticate", self.installation, begun, visitor, known), "uid": uid})
        self.installation.users("set-password", uid, input=PASSWORD + "\n")
        self.password("dora", visitor)
        self.sessions.append(session("password and two identities", visitor))
        user = {"name": "dora", "uid": uid, "email": "dora@example.com", "password": PASSWORD, "person": "dora"}
        self.users.append({**user, "providers": ["oidc.acme", "oidc.beta"]})

    def others(self) -> None:
        visitor = self.fresh()
        assert visitor.post("/login/anonymous").status == 200
        self.sessions.append(session("anonymous", visitor))
        self.create("lena")
        self.sessions.append(session("password", self.password("lena")))
        uid = self.create("emil")
        self.installation.users("disable", uid)
        self.users.append({"name": "emil", "uid": uid, "email": "emil@example.com", "password": PASSWORD, "disabled": True})
        export = self.installation.folder / "firebase.json"
        export.write_text(json.dumps({"users": [FIREBASE_USER]}), encoding="utf-8")
        self.installation.users("import", "--from", "firebase", str(export), *FIREBASE)
        export.unlink()
        self.users.append({"name": "fay", "uid": FIREBASE_USER["localId"], "email": "fay@example.com", "password": FIREBASE_PASSWORD})
        line = {
            "uid": "imported.user~1", "email": "hana@example.com", "name": "Hana",
            "identities": [{"provider": "oidc.acme", "issuer": ISSUER, "subject": "subject-of-hana"}],
            "second_factors": [{"id": "app", "type": "totp", "secret": "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"}],
        }  # fmt: skip
        self.installation.users("import", "-", input=json.dumps(line) + "\n")
        self.users.append({"name": "hana", "uid": "imported.user~1", "person": "hana", "totp": "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"})

    def waiting(self) -> None:
        """Mails whose links wait, an identity that waits for a sign-in, and a merge that waits for its hook."""
        visitor = self.fresh()
        assert visitor.post("/sign-up", {"email": "ivan@example.com", "password": PASSWORD}).status == 204
        self.mails.append({"path": "/verify-email", "email": "ivan@example.com", "token": self.mailbox.token("ivan@example.com")})
        self.create("jane")
        assert visitor.post("/password/reset", {"email": "jane@example.com"}).status == 204
        self.mails.append({"path": "/password/new", "email": "jane@example.com", "token": self.mailbox.token("jane@example.com")})
        self.create("kim")
        visitor = self.password("kim")
        assert visitor.post("/account/email", {"email": "kim-new@example.com"}).status == 204
        self.mails.append({"path": "/verify-email", "email": "kim-new@example.com", "token": self.mailbox.token("kim-new@example.com")})
        visitor = self.fresh()
        answer = sign_in(visitor, "oidc.acme", "conflict")
        assert answer.status == 409, answer.text[:500]
        self.cookie("conflict", "-pending", visitor, uid=self.users[0]["uid"], subject=PEOPLE["conflict"]["sub"])
        # The identity is dora's: nothing is linked, and after her sign-in the hook would hear of both accounts.
        visitor = self.password("kim")
        kim = visitor.userinfo()["uid"]
        answer = follow(visitor, visitor.post("/link/oidc.beta"), "&login_hint=dora")
        assert answer.status == 409, answer.text[:500]
        assert sign_in(visitor, "oidc.acme", "dora").status == 303
        self.mails.append({"path": "merge", "previous": kim, "current": visitor.userinfo()["uid"]})


def record_accounts(target: pathlib.Path, key: str, store: str) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The sign-ins that are under way, and what waits in a browser."""
    prepare(target, "accounts", key)
    secret = (target / "test-only-hook.secret").read_text().strip()
    mailbox, messages = Mailbox(), SignedReceiver(secret)
    # The merge stays in the store: its receiver has a failure.
    messages.answers["/merge"] = (500, {})
    try:
        ports = {"PROVIDER_PORT": PROVIDER_PORT, "SMTP_PORT": mailbox.port, "HOOK_PORT": messages.port, "ACCOUNTS_STORE": store}
        with Installation(target, **ports).running() as installation:
            recorder = AccountsRecorder(installation, mailbox, messages)
            recorder.ada()
            recorder.bea()
            recorder.carl()
            recorder.dora()
            recorder.others()
            recorder.waiting()
            export = installation.users("export")
            listed = installation.users("list", "--format", "json")
            jwks = installation.visitor().own("/jwks.json").json()
    finally:
        mailbox.close()
        messages.close()
    (target / "users.jsonl").write_text(export, encoding="utf-8")
    (target / "listed.jsonl").write_text(listed, encoding="utf-8")
    write(
        target / "recorded.json",
        {"sessions": recorder.sessions, "ended": [], "users": recorder.users, "waiting": recorder.mails, "jwks": jwks},
    )
    return recorder.transactions, recorder.pending


# --- All of it ------------------------------------------------------------------------------------------------------------------


def record(target: pathlib.Path) -> None:
    with tempfile.TemporaryDirectory(prefix="record-compat-") as temporary:
        work = pathlib.Path(temporary)
        made = work / "made"
        made.mkdir()
        (made / "gateway.schema.json").write_text(run_command("schema").stdout, encoding="utf-8")
        write(made / "people.json", {"people": PEOPLE, "extras": EXTRAS})
        record_configurations(made / "configurations", made / "gateway.schema.json")
        key = new_key()
        provider = RecordedProvider(key, PEOPLE, PROVIDER_PORT)
        provider.extras = EXTRAS
        installations = made / "installations"
        try:
            transactions = record_cookies(installations / "cookies", provider, key)
            for name in ("loopback", "domain"):
                transactions += record_small(installations / name, name, key)
            record_redis(installations / "redis", key, work)
            more, pending = record_accounts(installations / "accounts-sqlite", key, "sqlite:./accounts.db")
            postgres = Postgres()
            try:
                record_accounts(installations / "accounts-postgres", key, postgres.database("accounts"))
                (installations / "accounts-postgres/accounts.sql").write_text(postgres.dump("accounts"), encoding="utf-8")
            finally:
                postgres.close()
        finally:
            provider.close()
        write(made / "short-lived.json", {"transactions": transactions + more, "pending": pending})
        names.record(made / "names")
        for file in made.rglob("*"):
            if file.name.endswith((".log", "-wal", "-shm")):
                file.unlink()
        shutil.copytree(made, target)

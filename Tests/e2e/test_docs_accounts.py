"""The pages about accounts: their configurations are valid, and what the runbook and the page about backups say happens does happen."""

from __future__ import annotations

import base64
import contextlib
import os
import pathlib
import re
import sqlite3
import subprocess

import pytest
import requests

from accounts import account, answer_link, code, link, log_in, post, signed_in, submit, userinfo
from logins import new_client
from parts.dev_provider import DevProvider
from parts.gateway import BINARY, ROOT, run_command, session_key
from parts.mailbox import Mailbox
from parts.postgres import Postgres
from parts.processes import Process, eventually, free_port

PASSWORD = "correct horse battery staple"
REST = {
    "version": "version: 1\n",
    "server": "server: { publicURL: https://app.example.com }\n",
    "upstream": "upstream: http://127.0.0.1:8080\n",
    "accounts": 'accounts: { store: "sqlite:./accounts.db", keys: ["${file:./accounts.key}"] }\n',
    "session": 'session: { keys: ["${file:./session.key}"] }\n',
    "providers": 'providers: [{ id: oidc.acme, issuer: https://auth.example.com, clientID: acme-web, clientSecret: "${file:./client.secret}" }, { id: password }]\n',
    "mail": 'mail: { url: "smtps://gateway:${env:SMTP_PASSWORD}@smtp.example.com", from: no-reply@example.com }\n',
    "routes": "routes: [{ path: /**, access: { users: [mfrggzdfmztwq2lknnwg23tpob] } }]\n",
}


@pytest.fixture
def second(folder):
    provider = DevProvider("docs-second-dev", folder).wait()
    yield provider
    provider.process.kill()


@pytest.mark.parametrize("page", ["README.md", "docs/accounts.md", "docs/hooks.md", "docs/mail.md"])
def test_the_configurations_of_the_pages_are_valid(tmp_path, page):
    """Even under --strict, with the rest of a file around each block that needs accounts."""
    blocks = re.findall(r"```yaml\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)
    blocks = [block for block in blocks if re.match(r"(accounts|providers|mail):", block)]
    assert blocks
    for name in ("session.key", "accounts.key", "client.secret", "hook.secret"):
        (tmp_path / name).write_text(base64.b64encode(os.urandom(32)).decode())
        (tmp_path / name).chmod(0o600)
    environment = {name: os.urandom(20).hex() for name in ("DATABASE_PASSWORD", "SMTP_PASSWORD")}
    for block in blocks:
        keys = set(re.findall(r"^(\w+):", block, re.MULTILINE))
        (tmp_path / "gateway.yaml").write_text("".join(text for key, text in REST.items() if key not in keys) + block)
        run = run_command("validate", "--strict", "gateway.yaml", folder=tmp_path, environment=environment)
        assert run.returncode == 0, block + run.stdout


def test_the_steps_of_the_page(folder, upstream, tmp_path):
    """"Try it on this machine", with other ports: the same uid with both providers, and a conflict."""
    page = (ROOT / "docs/accounts.md").read_text(encoding="utf-8")
    script = re.search(r"```sh\n(gateway keygen session > session\.key\n.*?)gateway run\n```", page, re.DOTALL)
    assert script
    ports = {"9000": free_port(), "9001": free_port(), "8000": free_port(), "3000": upstream.port}
    text = re.sub(r":(9000|9001|8000|3000)\b", lambda match: f":{ports[match.group(1)]}", script.group(1))
    path = f"{BINARY.resolve().parent}:{os.environ['PATH']}"
    subprocess.run(["bash", "-eu", "-c", text + f"\necho 'admin: {{ listen: 127.0.0.1:{free_port()} }}' >> gateway.yaml"], cwd=tmp_path, check=True, env={**os.environ, "PATH": path}, timeout=60)
    secret = {"DEV_SECRET": "dev-secret"}
    assert run_command("validate", "--strict", "gateway.yaml", folder=tmp_path, environment=secret).stdout.endswith("0 errors, 0 warnings\n")
    providers = [Process(f"page-dev-{name}", [str(BINARY), "dev-provider", "--port", str(ports[name])], folder) for name in ("9000", "9001")]
    gateway = Process("page-gateway", [str(BINARY), "run"], tmp_path, secret)
    try:
        for process in providers:
            process.wait_until(lambda process=process: "ready" in process.output(), "line `ready`")
        gateway.wait_until(lambda: '"event":"ready"' in gateway.output(), "event `ready`")
        site, one, two = Page(ports["8000"]), Dev(ports["9000"]), Dev(ports["9001"])
        client = signed_in(site, one, "one", "alice")
        assert link(site, two, "two", "alice", client).status_code == 303
        assert userinfo(site, signed_in(site, two, "two", "alice"))["uid"] == userinfo(site, client)["uid"]
        signed_in(site, one, "one", "bob")
        browser, conflict = log_in(site, two, "two", "bob")
        assert code(conflict) == "auth/account-exists-with-different-credential"
        log_in(site, one, "one", "bob", browser)
        assert answer_link(site, browser).status_code == 303
        assert userinfo(site, browser)["providers"] == ["oidc.one", "oidc.two"]
    finally:
        for process in [gateway, *providers]:
            process.kill()


class Page:
    """The gateway of the page, as the steps of `accounts` know one."""

    def __init__(self, port: int) -> None:
        self.origin = f"http://127.0.0.1:{port}"

    def own(self, path: str) -> str:
        return f"{self.origin}/_gateway{path}"


class Dev(DevProvider):
    """A provider that runs already."""

    def __init__(self, port: int) -> None:
        self.port, self.origin = port, f"http://127.0.0.1:{port}"


def test_every_rehearsal_that_the_runbook_names_is_here() -> None:
    text = (ROOT / "docs/operations/runbook.md").read_text(encoding="utf-8")
    named = re.findall(r"`(test_(?:docs_)?accounts\.py)::(\w+)`", text)
    assert len(named) >= 4
    for file, name in named:
        assert f"def {name}(" in (pathlib.Path(__file__).parent / file).read_text(encoding="utf-8"), name


def verbose(gateway) -> str:
    return requests.get(f"{gateway.admin}/readyz?verbose", timeout=60).text


def test_the_runbook_of_the_account_store(start_gateway, dev):
    """The gateway stays ready, says what is wrong, and needs no restart."""
    server = Postgres()
    try:
        store = {"store": server.database("runbook"), "keys": [session_key()]}
        gateway = start_gateway({"providers": [{**dev.configuration, "id": "oidc.one"}], "accounts": store})
        client = signed_in(gateway, dev, "one", "alice")
        server.stop()
        eventually(lambda: "[-]account-store" in verbose(gateway), "the outage in /readyz", timeout=60)
        assert gateway.is_ready() and gateway.events("account-store-unavailable")
        assert 'gateway_account_events_total{event="account-store-unavailable"}' in gateway.metrics()
        assert client.get(gateway.url("/"), timeout=60).status_code == 200
        assert log_in(gateway, dev, "one", "bob")[1].status_code == 503
        server.start()
        eventually(lambda: gateway.events("account-store-recovered"), "the store to be back", timeout=60)
        eventually(lambda: log_in(gateway, dev, "one", "bob")[1].status_code == 303, "a sign-in", timeout=60)
    finally:
        server.close()


def test_the_runbook_of_mail(start_gateway, dev, tmp_path):
    """A form reports success while the mail server is away; corrected, `mail` works after a reload."""
    mailbox = Mailbox()
    try:
        gateway = start_gateway(
            {
                "providers": [{**dev.configuration, "id": "oidc.one"}, {"id": "password"}],
                "accounts": {"store": f"sqlite:{tmp_path}/accounts.db", "keys": [session_key()]},
                "mail": {"url": f"smtp://127.0.0.1:{free_port()}", "from": "no-reply@example.com"},
            }
        )
        body = {"email": "runbook@example.org", "password": PASSWORD}
        assert post(gateway, new_client(), "/sign-up", json=body).status_code == 204
        eventually(lambda: gateway.events("mail-delayed"), "the first attempt to fail", timeout=60)
        assert "no connection" in gateway.events("mail-delayed")[-1]["reason"] and "runbook@example.org" not in gateway.log
        assert 'gateway_mails_total{outcome="delayed"}' in gateway.metrics()
        gateway.rewrite(mail={"url": mailbox.url}).reload()
        assert post(gateway, new_client(), "/password/reset", json={"email": body["email"]}).status_code == 204
        assert mailbox.token(body["email"])
        sent = 'gateway_mails_total{outcome="sent"} 1'
        eventually(lambda: sent in gateway.metrics(), "the mail to be counted")
    finally:
        mailbox.close()


def test_a_user_without_the_provider_gets_back_by_mail(start_gateway, dev, second, tmp_path):
    """A reset sets the first password; then the lost provider can be removed."""
    mailbox = Mailbox()
    try:
        gateway = start_gateway(
            {
                "providers": [{**dev.configuration, "id": "oidc.one"}, {**second.configuration, "id": "oidc.two"}, {"id": "password"}],
                "accounts": {"store": f"sqlite:{tmp_path}/accounts.db", "keys": [session_key()]},
                "mail": {"url": mailbox.url, "from": "no-reply@example.com"},
            }
        )
        uid = userinfo(gateway, signed_in(gateway, dev, "one", "alice"))["uid"]
        assert code(log_in(gateway, second, "two", "alice")[1]) == "auth/account-exists-with-different-credential"
        assert post(gateway, new_client(), "/password/reset", json={"email": "alice@example.com"}).status_code == 204
        body = {"token": mailbox.token("alice@example.com"), "new_password": PASSWORD}
        assert post(gateway, new_client(), "/password/new", json=body).status_code == 204
        client = new_client()
        answer = post(gateway, client, "/login/password", json={"email": "alice@example.com", "password": PASSWORD})
        assert answer.status_code == 200 and answer.json()["uid"] == uid
        assert submit(gateway, client, "/unlink/oidc.one").status_code == 303
        assert [way["id"] for way in account(gateway, client)["providers"]] == ["password"]
    finally:
        mailbox.close()


def test_a_backup_that_is_made_while_the_gateway_runs_can_be_restored(start_gateway, dev, tmp_path):
    """The command of docs/accounts.md; the state of the backup is back, and nothing later."""
    command = re.search(r"^sqlite3 accounts\.db \"(.+)\"$", (ROOT / "docs/accounts.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert command
    store = {"store": f"sqlite:{tmp_path}/accounts.db", "keys": [session_key()]}
    gateway = start_gateway({"providers": [{**dev.configuration, "id": "oidc.one"}], "accounts": store})
    alice = userinfo(gateway, signed_in(gateway, dev, "one", "alice"))["uid"]
    with contextlib.closing(sqlite3.connect(tmp_path / "accounts.db", isolation_level=None)) as database:
        database.execute(command.group(1).replace("accounts-backup.db", str(tmp_path / "accounts-backup.db")))
    bob = signed_in(gateway, dev, "one", "bob")
    gateway.stop()
    for name in ("accounts.db-wal", "accounts.db-shm"):
        (tmp_path / name).unlink(missing_ok=True)
    os.replace(tmp_path / "accounts-backup.db", tmp_path / "accounts.db")
    gateway.start()
    assert (tmp_path / "accounts.db").stat().st_mode & 0o777 == 0o600
    assert userinfo(gateway, signed_in(gateway, dev, "one", "alice"))["uid"] == alice
    assert code(post(gateway, bob, "/unlink/oidc.one")) != "auth/last-provider", "bob's account came after the backup"

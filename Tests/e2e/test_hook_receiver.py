"""The receiver of docs/hooks.md, as it stands on the page, against the gateway."""

from __future__ import annotations

import os
import re
import socket
import sys

import pytest

from accounts import code, log_in, post, signed_in
from logins import new_client
from parts.gateway import ROOT, session_key
from parts.processes import Process, eventually, free_port

SECRET = "receiver-secret-91c07f"
PROGRAM = re.search(r"## A receiver\n.*?```python\n(.*?)```", (ROOT / "docs/hooks.md").read_text(encoding="utf-8"), re.DOTALL)


def accepts(port: int) -> bool:
    with socket.socket() as connection:
        return connection.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture(scope="module")
def receiver(folder):
    """The port of the page's program."""
    assert PROGRAM
    file, port = folder / "receiver.py", free_port()
    file.write_text(PROGRAM.group(1), encoding="utf-8")
    process = Process("hook-receiver", [sys.executable, str(file)], folder, {**os.environ, "HOOK_SECRET": SECRET, "PORT": str(port)})
    eventually(lambda: accepts(port), "the receiver to listen")
    yield port
    process.kill()


@pytest.fixture
def start(start_gateway, dev, receiver, tmp_path):
    def start(secret: str):
        hook = {"url": f"http://127.0.0.1:{receiver}/hook", "secret": secret}
        store = {"store": f"sqlite:{tmp_path}/accounts.db", "keys": [session_key()]}
        return start_gateway(
            {
                "providers": [{**dev.configuration, "id": "oidc.one"}, {"id": "anonymous"}],
                "accounts": {**store, "hooks": {"beforeCreate": hook, "beforeSignIn": hook}},
            }
        )

    return start


def test_the_receiver_of_the_page_admits_one_domain(start, dev):
    gateway = start(SECRET)
    assert signed_in(gateway, dev, "one", "alice").get(gateway.url("/"), timeout=60).status_code == 200
    client, refused = log_in(gateway, dev, "one", "carol")
    assert refused.status_code == 403 and code(refused) == "auth/access-denied", "carol's address is of example.org"
    assert not client.cookies.get("session")
    assert "only example.com" in gateway.events("login-failed")[-1]["reason"]
    assert post(gateway, new_client(), "/login/anonymous").status_code == 403, "no address at all"


def test_the_receiver_refuses_another_secret(start, dev):
    gateway = start("another-secret-5d0e11")
    client, refused = log_in(gateway, dev, "one", "alice")
    assert refused.status_code == 403 and code(refused) == "auth/access-denied" and not client.cookies.get("session")
    assert "status 401" in gateway.events("login-failed")[-1]["reason"]

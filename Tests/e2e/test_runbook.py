"""docs/operations/runbook.md, rehearsed: what it says happens does happen."""

from __future__ import annotations

import pathlib
import re
import socket

import requests

from conftest import mark
from h2wire import trusting
from logins import NAVIGATION, callback_of, new_client, session_cookie, sign_in
from parts.certificates import Authority
from parts.dev_provider import DevProvider
from parts.gateway import ROOT, session_key
from parts.processes import eventually, free_port
from parts.upstream import Upstream
from test_logout import log_out
from test_revocations import log_out_again
from test_tls import handshake

RUNBOOK = ROOT / "docs/operations/runbook.md"


def verbose(gateway) -> str:
    return requests.get(f"{gateway.admin}/readyz?verbose", timeout=60).text


def is_ready(gateway) -> bool:
    return requests.get(f"{gateway.admin}/readyz", timeout=60).status_code == 200


def status(gateway, client, path: str = "/app/x") -> int:
    return client.get(gateway.url(path), allow_redirects=False, timeout=60).status_code


def is_refused(connection: socket.socket) -> bool:
    try:
        connection.recv(1, socket.MSG_PEEK)
    except BlockingIOError:
        return False
    except ConnectionResetError:
        pass
    return True


def test_every_rehearsal_that_the_runbook_names_is_here() -> None:
    named = re.findall(r"Rehearsed by `test_runbook.py::(\w+)`", RUNBOOK.read_text())
    assert len(named) >= 6
    assert set(named) <= globals().keys()


def test_sign_outs_fail_while_the_file_of_revocations_cannot_be_written(start_gateway, dev, tmp_path: pathlib.Path) -> None:
    """Here a directory stands where the new file should be made; a full disk has the same effect."""
    file, old = tmp_path / "revocations", session_key()
    gateway = start_gateway({"providers": [dev.configuration], "session": {"keys": [old], "revocations": str(file)}})
    alice = sign_in(gateway, dev)
    cookie = session_cookie(alice)
    obstacle = tmp_path / "revocations.new"
    obstacle.mkdir()
    gateway.rewrite(session={"keys": [session_key(), old]}).reload()
    eventually(lambda: "[-]revocations" in verbose(gateway), "the file cannot be written")
    assert log_out(gateway, alice).status_code == 503
    assert is_ready(gateway)
    obstacle.rmdir()
    eventually(lambda: gateway.events("revocations-write-recovered"), "the file is written without a request")
    assert status(gateway, alice) != 200
    assert log_out_again(gateway, cookie).status_code == 303
    gateway.kill()


def test_a_provider_outage_signs_nobody_out_and_ends_by_itself(start_gateway, folder: pathlib.Path) -> None:
    """The provider is down: the sessions stay, the gateway is ready, new sign-ins say what is wrong; afterwards all is as before."""
    provider = DevProvider("runbook-provider", folder).wait()
    gateway = start_gateway({"providers": [provider.configuration]})
    alice = sign_in(gateway, provider)
    assert status(gateway, alice) == 200

    provider.process.kill()
    assert status(gateway, alice) == 200
    assert is_ready(gateway), "restarting the gateway would not bring the provider back"
    # Metadata is known already, so the way to the provider begins; the callback finds nobody there.
    restarted = gateway.restart()
    assert is_ready(restarted), "a gateway starts without its provider"
    assert status(restarted, alice) == 200, "and the sessions outlive the restart"
    assert "oidc.dev" in verbose(restarted) and "(not required for readiness)" in verbose(restarted)
    refused = new_client().get(restarted.own("/login/oidc.dev"), headers=NAVIGATION, allow_redirects=False, timeout=60)
    assert refused.status_code == 502, refused.text[:400]
    for_programs = new_client().get(restarted.own("/login/oidc.dev"), headers={"Accept": "application/json"}, allow_redirects=False, timeout=60)
    assert for_programs.json()["error"]["code"] == "auth/provider-unavailable"

    again = DevProvider("runbook-provider-again", folder, port=provider.port).wait()
    try:
        assert status(restarted, sign_in(restarted, again, person="bob")) == 200, "at the next sign-in, without a restart"
    finally:
        again.process.kill()


def test_a_key_is_changed_without_signing_anybody_out(start_gateway, dev, minted) -> None:
    """Changing the session key: the new one behind the old, in front of it, alone."""
    gateway = start_gateway({"providers": [dev.configuration]})
    (old,) = gateway.configuration["session"]["keys"]
    new = session_key()
    minted.add(new)
    early = sign_in(gateway, dev)

    for keys in ([old, new], [new, old]):
        gateway.rewrite(session={"keys": keys}).reload()
        assert status(gateway, early) == 200, keys.index(old)
    late = sign_in(gateway, dev)
    gateway.rewrite(session={"keys": [new]}).reload()
    assert status(gateway, late) == 200
    assert status(gateway, early) == 401, "only after the absolute limit, when nobody has such a cookie any more"


def test_a_leaked_key_is_worth_nothing_after_a_reload(start_gateway, dev, minted) -> None:
    """A session key has leaked: whoever holds it makes a session with a gateway of their own, until the key is gone."""
    leaked, fresh = session_key(), session_key()
    minted.update((leaked, fresh))
    gateway = start_gateway({"providers": [dev.configuration], "session": {"keys": [leaked]}})
    # The thief's gateway says of itself that it is ours, and has a provider that lets anybody be anybody.
    thief = start_gateway({"server": {"publicURL": gateway.origin}, "providers": [dev.configuration], "session": {"keys": [leaked]}})
    forged = new_client()
    callback = callback_of(thief, dev, forged, person="bob").replace(gateway.origin, thief.origin)
    assert forged.get(callback, headers=NAVIGATION, allow_redirects=False, timeout=60).status_code == 303
    assert status(gateway, forged) == 200, "this is what a leaked key means"
    honest = sign_in(gateway, dev)

    gateway.rewrite(session={"keys": [fresh]}).reload()
    assert status(gateway, forged) == 401
    assert status(gateway, honest) == 401
    assert status(gateway, sign_in(gateway, dev, honest)) == 200


def test_a_certificate_is_renewed_late_and_first_wrongly_without_a_restart(start_gateway, folder: pathlib.Path) -> None:
    """A certificate expires: what cannot be used is left alone, what can is in use at once."""
    authority = Authority(folder, "runbook")
    pair = authority.issue("runbook", ["localhost"], days=(-80, 0.5))
    port = free_port()
    server = {"publicURL": f"https://localhost:{port}", "tls": pair.keys}
    gateway = start_gateway({"server": server, "routes": [{"path": "/**", "access": "public"}]}, port=port)

    def end() -> str:
        with handshake(port, trusting(str(authority.file))) as connection:
            return connection.getpeercert()["notAfter"]

    before = end()
    certificate, key = authority.pem(["localhost"], days=(-1, 29))
    # Only half of the pair arrives.
    pair.certificate.write_bytes(certificate)
    eventually(lambda: "certificates-not-reloaded" in gateway.log, "the log says that the pair does not fit", timeout=60)
    assert end() == before
    pair.key.write_bytes(key)
    eventually(lambda: end() != before, "the renewed certificate is served", timeout=60)


def test_a_flood_is_refused_at_the_door_and_the_others_go_on(start_gateway, dev) -> None:
    """Far more traffic than usual: beyond limits.connections a connection is refused at once; those that are there are served."""
    gateway = start_gateway({"providers": [dev.configuration], "server": {"limits": {"connections": 8}}})
    alice = sign_in(gateway, dev)
    assert status(gateway, alice) == 200
    flood: list[socket.socket] = []
    try:
        for _ in range(40):
            flood.append(socket.create_connection(("127.0.0.1", gateway.port), timeout=5))
            flood[-1].setblocking(False)
        # Alice's connection is one of the eight; nobody took it from her.
        assert status(gateway, alice) == 200
        assert is_ready(gateway), "the admin listener has connections of its own"
        eventually(lambda: sum(map(is_refused, flood)) >= 32, "all but eight are refused")
    finally:
        for connection in flood:
            connection.close()
    eventually(lambda: status(gateway, new_client()) == 401, "there is room again")


def test_an_app_that_is_gone_costs_nobody_their_session(start_gateway, dev) -> None:
    """The app does not answer: 502 on a page of the gateway's, which goes on itself; back, and the next request reaches it."""
    port = free_port()
    gateway = start_gateway({"providers": [dev.configuration], "upstream": f"http://127.0.0.1:{port}"})
    alice = sign_in(gateway, dev)
    assert status(gateway, alice) == 502
    assert alice.get(gateway.own("/userinfo"), timeout=60).status_code == 200
    assert is_ready(gateway), "the app's troubles are not the gateway's"
    app = Upstream(port)
    try:
        eventually(lambda: status(gateway, alice, f"/{mark()}") == 200, "the app is back")
    finally:
        app.close()


def test_a_broken_configuration_changes_nothing_until_it_is_corrected(start_gateway, dev) -> None:
    """A reload failed: the old configuration goes on, and everything that looks says so."""
    gateway = start_gateway({"providers": [dev.configuration]})
    alice = sign_in(gateway, dev)
    good = gateway.file.read_text()
    gateway.file.write_text(good.replace('"providers"', '"provider"'))
    gateway.reload(expect="reload-failed")
    assert status(gateway, alice) == 200
    assert is_ready(gateway) and "[-]reload failed" in verbose(gateway)
    gateway.file.write_text(good)
    gateway.reload()
    assert "[+]reload ok" in verbose(gateway)

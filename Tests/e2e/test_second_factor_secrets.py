"""No secret, code or phone number in a log, page, URL, mail or in clear in the database (contract §9)."""

from __future__ import annotations

import base64
import html
import json
import pathlib
import re
import subprocess
from urllib.parse import quote, unquote

import pytest
import requests

from logins import NAVIGATION
from parts.factor_devices import CodeApp
from parts.factor_users import Browser, FactorUser
from parts.gateway import Gateway, run_command, session_key
from parts.mailbox import Mailbox
from parts.postgres import Postgres
from parts.signed_receiver import SignedReceiver
from parts.static_issuer import StaticIssuer

SECRET = "sms-secret-90aa17e2"


class Watch:
    """Every request and answer of the test's browsers: addresses, heads and bodies."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.addresses: list[str] = []
        self.answers: list[requests.Response] = []
        send = requests.Session.send

        def watched(session, request, **arguments):
            answer = send(session, request, **arguments)
            self.addresses += [request.url, answer.headers.get("Location", "")]
            self.answers.append(answer)
            return answer

        monkeypatch.setattr(requests.Session, "send", watched)


class Flow:
    """A browser without scripts that submits the forms of the pages."""

    def __init__(self, gateway: Gateway, browser: Browser) -> None:
        self.gateway, self.browser = gateway, browser

    def submit(self, path: str, **fields: str) -> requests.Response:
        headers = {**NAVIGATION, "Sec-Fetch-Site": "same-origin", "Origin": self.gateway.origin}
        return self.browser.client.post(self.gateway.own(path), data=fields, headers=headers, allow_redirects=False, timeout=60)

    def page(self, path: str) -> requests.Response:
        return self.browser.client.get(self.gateway.own(path), headers=NAVIGATION, allow_redirects=False, timeout=60)


def hidden(page: requests.Response, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]*)"', page.text)
    assert found, page.text[:800]
    return html.unescape(found.group(1))


def in_text(text: str, code: str) -> bool:
    """Six digits by themselves: not a part of a longer number or id."""
    return re.search(rf"(?<![0-9A-Za-z.]){re.escape(code)}(?![0-9A-Za-z])", text) is not None


def texts_of(line: str) -> str:
    """The strings of a line of the log. Numbers are times, sizes and ports."""

    def strings(value) -> list[str]:
        if isinstance(value, dict):
            return [text for item in value.values() for text in strings(item)]
        if isinstance(value, list):
            return [text for item in value for text in strings(item)]
        return [value] if isinstance(value, str) else []

    return "\n".join(strings(json.loads(line))) if line.startswith("{") else line


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_nothing_of_a_second_factor_is_anywhere_in_clear(kind, start_gateway, tmp_path, monkeypatch):
    server = Postgres() if kind == "postgres" else None
    store = server.database("secrets") if server else f"sqlite:{tmp_path}/accounts.db"
    issuer, messages, mailbox = StaticIssuer(), SignedReceiver(SECRET), Mailbox()
    watch = Watch(monkeypatch)
    try:
        gateway = start_gateway(
            {
                "providers": [{"id": "oidc.one", **issuer.configuration}],
                "accounts": {"store": store, "keys": [session_key()]},
                "secondFactor": {
                    "factors": ["totp", "webauthn", "recovery", "phone"],
                    "phone": {"url": messages.url("/send"), "secret": SECRET},
                    "rememberBrowser": "30d",
                },
                "session": {"exchange": {"providers": ["oidc.one"]}},
                "mail": {"url": mailbox.url, "from": "no-reply@example.com"},
                "routes": [{"path": "/strong/**", "access": {"secondFactor": True}}],
                "logging": {"level": "trace"},
            }
        )
        user = FactorUser(gateway, issuer, messages)
        session = user.session()
        flow = Flow(gateway, session)

        # Enrolment on the pages, with a wrong answer each.
        app_page = flow.submit("/account/second-factors/start", type="totp", display_name="App")
        found = re.search(r"secret=([A-Z2-7]{32})", html.unescape(app_page.text))
        assert found
        user.app = CodeApp(found.group(1))
        codes = {"314159", user.app.code()}
        wrong = flow.submit("/account/second-factors/verify", enrollment=hidden(app_page, "enrollment"), code="314159")
        assert wrong.status_code == 400
        last = max(codes - {"314159"})
        assert flow.submit("/account/second-factors/verify", enrollment=hidden(app_page, "enrollment"), code=last).status_code == 303
        flow.submit("/account/second-factors/start", type="phone", phone="+1")
        phone_page = flow.submit("/account/second-factors/start", type="phone", phone=user.phone, display_name="Mobile")
        assert phone_page.status_code == 200
        assert flow.submit("/account/second-factors/verify", enrollment=hidden(phone_page, "enrollment"), code="271828").status_code == 400
        again = flow.submit("/account/second-factors/start", type="phone", enrollment=hidden(phone_page, "enrollment"))
        assert again.status_code == 200, "the message is sent again to the number of the enrolment"
        assert [message["to"] for message in messages.events("/send")] == [user.phone, user.phone]
        done = flow.submit("/account/second-factors/verify", enrollment=hidden(again, "enrollment"), code=messages.events("/send")[-1]["code"])
        assert done.status_code == 303
        recovery_page = flow.submit("/account/second-factors/start", type="recovery")
        user.codes = re.findall(r"<li><code>([^<]+)</code>", recovery_page.text)
        recovery = list(user.codes)
        assert len(recovery) == 10
        user.enrol(session, "webauthn")

        # Sign-ins with each factor on the pages, with wrong answers and a message that is sent again.
        for kind_of_factor in ("totp", "recovery", "phone"):
            waiting = user.waiting()
            ids, pages = user.factors(waiting), Flow(gateway, waiting)
            pages.page(f"/second-factor?factor={ids[kind_of_factor]}")
            pages.submit("/second-factor/verify", factor=ids[kind_of_factor], code="161803")
            pages.submit("/second-factor/start", factor=ids[kind_of_factor])
            if kind_of_factor == "phone":
                proof = {"factor": ids["phone"], "code": messages.events("/send")[-1]["code"]}
                assert pages.submit("/second-factor/start", factor=ids["phone"]).status_code == 429
            else:
                proof = user.proof(waiting, kind_of_factor, ids[kind_of_factor])
            codes.add(proof["code"])
            used = pages.submit("/second-factor/verify", **proof, remember="true")
            assert used.status_code == 303, used.text[:500]
            for path in ("/account", "/account/second-factors", "/second-factor", "/userinfo"):
                pages.page(path)
        step_up = user.session() if False else session
        step_up.get("/strong/x")
        for command in (["users", "show", user.uid], ["users", "list"], ["users", "show", user.uid, "--format", "json"]):
            told = run_command(*command, "--config", str(gateway.file))
            assert told.returncode == 0 and user.phone[1:] not in told.stdout + told.stderr and user.app.secret not in told.stdout
        Flow(gateway, session).submit("/account/second-factors/remove", factor=user.factors(session)["phone"])

        codes |= {message["code"] for message in messages.events("/send")} | {"271828", "161803"}
        short = {code for code in codes if code.isdecimal()}
        raw = base64.b32decode(user.app.secret)
        long = {
            user.app.secret, raw.hex(), base64.b64encode(raw).decode().rstrip("="), base64.urlsafe_b64encode(raw).decode().rstrip("="),
            user.phone[1:], *recovery, *(code.replace("-", "") for code in recovery), *(code.replace("-", "").lower() for code in recovery),
        }  # fmt: skip
        assert len(short) >= 6 and len(long) >= 25

        # Logs: events, access and audit, at the most verbose level.
        log = gateway.log
        assert '"event":"second-factor-used"' in log and '"stream":"audit"' in log or "second-factor-added" in log
        strings = "\n".join(texts_of(line) for line in log.splitlines())
        assert not [secret for secret in long if secret in log] and not [code for code in short if in_text(strings, code)]

        # Addresses, and where answers lead.
        addresses = unquote("\n".join(watch.addresses))
        assert not [secret for secret in long if secret in addresses or quote(secret) in addresses]
        assert not [code for code in short if in_text(addresses, code)]

        # Pages and JSON, but for the answers that show the secret and the codes to their owner.
        owners = {app_page.content, wrong.content, recovery_page.content}
        for answer in watch.answers:
            if answer.content in owners or not answer.url.startswith(gateway.origin):
                continue
            text = html.unescape(answer.text) + str(answer.headers)
            assert not [secret for secret in long if secret in text], (answer.url, answer.text[:600])
            assert not [code for code in short if in_text(text, code)], answer.url
        for page in owners:
            assert user.phone[1:].encode() not in page

        # Mails.
        mails = "\n".join(str(mail) for _, mail in mailbox.mails)
        assert mailbox.to(f"{user.subject}@example.com") and not [secret for secret in long if secret in mails]
        assert not [code for code in short if in_text(mails, code)]

        # The database, while it is in use: SQLite's files, or what PostgreSQL gives to who may read everything.
        if server:
            dump = subprocess.run(
                [str(server._bin / "pg_dump"), "-h", str(server.folder), "-U", "gateway", "--inserts", "secrets"], capture_output=True, check=True, timeout=60
            ).stdout
        else:
            dump = b"".join(path.read_bytes() for path in pathlib.Path(tmp_path).glob("accounts.db*"))
        assert user.uid.encode() in dump
        for secret in long:
            assert secret.encode() not in dump and secret.encode().hex().encode() not in dump, "in clear in the database"
        assert raw not in dump
        for code in short:
            assert code.encode() not in dump or not in_text(dump.decode("latin-1"), code)
    finally:
        issuer.close()
        messages.close()
        mailbox.close()
        if server:
            gateway.kill()
            server.close()

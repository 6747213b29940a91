"""Second factors (contract §9): no session before the second factor, its limits, enrolment, step-up."""

from __future__ import annotations

import concurrent.futures
import html
import json
import os
import re
import socket
import sys

import pytest

from accounts import account, begin, callback, code, log_in, post, signed_in, submit, userinfo
from logins import NAVIGATION, new_client
from parts.factor_devices import CodeApp, now_step, totp
from parts.gateway import ROOT, Gateway, run_command, session_key
from parts.mailbox import Mailbox
from parts.processes import Process, eventually, free_port
from parts.signed_receiver import SignedReceiver

JSON = {"Accept": "application/json"}
SECRET = "sms-secret-5d10e7aa"


@pytest.fixture(scope="module")
def messages():
    part = SignedReceiver(SECRET)
    yield part
    part.close()


@pytest.fixture(scope="module")
def mailbox():
    box = Mailbox()
    yield box
    box.close()


@pytest.fixture(scope="module")
def start(start_gateway, dev, messages, mailbox, tmp_path_factory):
    def start(factors: dict | None = None, provider: dict | None = None, **changes) -> Gateway:
        place = tmp_path_factory.mktemp("factors") / "accounts.db"
        return start_gateway(
            {
                "providers": [{**dev.configuration, "id": "oidc.one", "displayName": "One", **(provider or {})}, {"id": "anonymous"}],
                "accounts": {"store": f"sqlite:{place}", "keys": [session_key()]},
                "secondFactor": {
                    "factors": ["totp", "webauthn", "recovery", "phone"],
                    "phone": {"url": messages.url("/send"), "secret": SECRET},
                    **(factors or {}),
                },
                "mail": {"url": mailbox.url, "from": "no-reply@example.com"},
                "routes": [{"path": "/strong/**", "access": {"secondFactor": True}}],
                **changes,
            }
        )

    return start


def enrol(gateway: Gateway, client, name: str = "Phone app") -> CodeApp:
    begun = post(gateway, client, "/account/second-factors/start", json={"type": "totp", "display_name": name})
    assert begun.status_code == 200, begun.text
    app = CodeApp(begun.json()["secret"])
    assert begun.json()["uri"].startswith("otpauth://totp/")
    answer = post(gateway, client, "/account/second-factors/verify", json={"enrollment": begun.json()["enrollment"], "code": app.code()})
    assert answer.status_code == 204, answer.text
    return app


def pending(gateway: Gateway, dev, person: str, rd: str = "/"):
    client, answer = log_in(gateway, dev, "one", person, rd=rd)
    assert answer.status_code == 303 and "/_gateway/second-factor" in answer.headers["Location"], answer.headers
    assert not client.cookies.get("session"), "a first factor alone is no session"
    return client, answer


def hints(gateway: Gateway, client) -> list[dict]:
    answer = client.get(gateway.own("/second-factor"), headers=JSON, timeout=60)
    assert answer.status_code == 401 and code(answer) == "auth/multi-factor-auth-required", answer.text
    return answer.json()["hints"]


# --- Sign-in ------------------------------------------------------------------------------------------------------------


def test_who_has_no_factor_signs_in_as_before(start, dev):
    gateway = start()
    client = signed_in(gateway, dev, "one", "alice")
    assert userinfo(gateway, client)["second_factor"] is None


def test_a_second_factor_stands_between_the_first_and_the_session(start, dev):
    gateway = start()
    first = signed_in(gateway, dev, "one", "alice")
    cookie = first.cookies.get("session")
    app = enrol(gateway, first)
    assert first.cookies.get("session") != cookie and userinfo(gateway, first)["second_factor"] == "totp", "enrolling counts as having used it"
    client, answer = pending(gateway, dev, "alice", rd="/deep?x=1")
    assert answer.headers["Location"] == "/_gateway/second-factor?rd=%2Fdeep%3Fx%3D1"
    for path in ("/userinfo", "/account", "/account/second-factors"):
        assert client.get(gateway.own(path), timeout=60).status_code == 401, path
    assert post(gateway, client, "/link/oidc.one").status_code == 401
    assert client.get(gateway.url("/"), timeout=60).status_code == 401
    page = client.get(gateway.own("/second-factor?rd=/deep?x=1"), headers=NAVIGATION, timeout=60)
    assert page.status_code == 200 and 'autocomplete="one-time-code"' in page.text and "Phone app" in page.text
    (hint,) = hints(gateway, client)
    assert (hint["type"], hint["display_name"]) == ("totp", "Phone app") and re.fullmatch(r"\d{4}-\d\d-\d\dT.*Z", hint["enrolled_at"])
    used = app.code()
    answer = submit(gateway, client, "/second-factor/verify", factor=hint["id"], code=used, rd="/deep?x=1")
    assert answer.status_code == 303 and answer.headers["Location"] == "/deep?x=1", answer.text[:500]
    shown = userinfo(gateway, client)
    assert shown["second_factor"] == "totp" and shown["uid"] == userinfo(gateway, first)["uid"]
    assert client.get(gateway.url("/strong/x"), timeout=60).status_code == 200
    other, _ = pending(gateway, dev, "alice")
    again = post(gateway, other, "/second-factor/verify", json={"factor": hint["id"], "code": used})
    assert again.status_code == 400 and code(again) == "auth/invalid-verification-code", "each code counts once"


def test_a_pending_sign_in_makes_one_session(start, dev):
    gateway = start()
    app = enrol(gateway, signed_in(gateway, dev, "one", "alice"))
    client, _ = pending(gateway, dev, "alice")
    waiting = client.cookies.get("session-factor")
    (hint,) = hints(gateway, client)
    assert post(gateway, client, "/second-factor/verify", json={"factor": hint["id"], "code": app.code()}).status_code == 200
    copy = new_client()
    copy.cookies.set("session-factor", waiting)
    app.last = now_step()
    answer = post(gateway, copy, "/second-factor/verify", json={"factor": hint["id"], "code": app.code()})
    assert answer.status_code == 400 and not copy.cookies.get("session")


def test_five_wrong_codes_end_the_pending_sign_in(start, dev):
    gateway = start()
    app = enrol(gateway, signed_in(gateway, dev, "one", "alice"))
    client, _ = pending(gateway, dev, "alice")
    (hint,) = hints(gateway, client)
    waiting = client.cookies.get("session-factor")
    for _ in range(5):
        answer = post(gateway, client, "/second-factor/verify", json={"factor": hint["id"], "code": "000000"})
        assert answer.status_code == 400 and code(answer) == "auth/invalid-verification-code"
    client.cookies.set("session-factor", waiting, domain="127.0.0.1")
    answer = post(gateway, client, "/second-factor/verify", json={"factor": hint["id"], "code": app.code()})
    assert answer.status_code in (401, 429) and not client.cookies.get("session")


def test_ten_wrong_codes_in_parallel_close_the_account_s_codes(start, dev):
    gateway = start()
    app = enrol(gateway, signed_in(gateway, dev, "one", "alice"))
    waiting = [pending(gateway, dev, "alice")[0] for _ in range(5)]
    (hint,) = hints(gateway, waiting[0])
    guesses = [client for client in waiting for _ in range(5)]
    with concurrent.futures.ThreadPoolExecutor(10) as pool:
        answers = list(pool.map(lambda client: post(gateway, client, "/second-factor/verify", json={"factor": hint["id"], "code": "000000"}), guesses))
    checked = [answer for answer in answers if code(answer) == "auth/invalid-verification-code"]
    assert len(checked) == 10, [code(answer) for answer in answers]
    client, _ = pending(gateway, dev, "alice")
    right = post(gateway, client, "/second-factor/verify", json={"factor": hint["id"], "code": app.code()})
    assert right.status_code == 429 and code(right) == "auth/too-many-requests" and int(right.headers["Retry-After"]) > 60


# --- Kinds --------------------------------------------------------------------------------------------------------------


def test_recovery_codes_count_once_each_and_need_another_factor(start, dev):
    gateway = start()
    first = signed_in(gateway, dev, "one", "alice")
    alone = post(gateway, first, "/account/second-factors/start", json={"type": "recovery"})
    assert alone.status_code == 409
    enrol(gateway, first)
    codes = post(gateway, first, "/account/second-factors/start", json={"type": "recovery"}).json()["codes"]
    assert len(set(codes)) == 10
    client, _ = pending(gateway, dev, "alice")
    recovery = next(hint for hint in hints(gateway, client) if hint["type"] == "recovery")
    assert post(gateway, client, "/second-factor/verify", json={"factor": recovery["id"], "code": codes[0]}).status_code == 200
    assert userinfo(gateway, client)["second_factor"] == "recovery"
    again, _ = pending(gateway, dev, "alice")
    refused = post(gateway, again, "/second-factor/verify", json={"factor": recovery["id"], "code": codes[0]})
    assert refused.status_code == 400 and code(refused) == "auth/invalid-verification-code"
    assert post(gateway, again, "/second-factor/verify", json={"factor": recovery["id"], "code": codes[1].lower()}).status_code == 200


def test_text_messages(start, dev, messages):
    gateway = start()
    first = signed_in(gateway, dev, "one", "alice")
    bad = post(gateway, first, "/account/second-factors/start", json={"type": "phone", "phone": "12345"})
    assert bad.status_code == 400 and code(bad) == "auth/invalid-phone-number"
    begun = post(gateway, first, "/account/second-factors/start", json={"type": "phone", "phone": "+4915112341234", "display_name": "Mobile"})
    assert begun.status_code == 200, begun.text
    sent = messages.events("/send")[-1]
    assert sent["to"] == "+4915112341234" and sent["code"] in sent["text"] and re.fullmatch(r"\d{6}", sent["code"])
    assert post(gateway, first, "/account/second-factors/verify", json={"enrollment": begun.json()["enrollment"], "code": sent["code"]}).status_code == 204
    client, _ = pending(gateway, dev, "alice")
    (hint,) = hints(gateway, client)
    assert (hint["type"], hint["phone"]) == ("phone", "+•••••••1234")
    assert post(gateway, client, "/second-factor/start", json={"factor": hint["id"]}).status_code == 204
    assert post(gateway, client, "/second-factor/verify", json={"factor": hint["id"], "code": messages.events("/send")[-1]["code"]}).status_code == 200
    assert userinfo(gateway, client)["second_factor"] == "phone"
    third, _ = pending(gateway, dev, "alice")
    assert post(gateway, third, "/second-factor/start", json={"factor": hint["id"]}).status_code == 204
    limited = post(gateway, third, "/second-factor/start", json={"factor": hint["id"]})
    assert limited.status_code == 429 and code(limited) == "auth/too-many-requests", "3 messages in 15 minutes, enrolment's counted"
    assert "4915112341234" not in gateway.log and messages.events("/send")[-1]["code"] not in gateway.log


def test_passkey_options_are_w3c_json(start, dev):
    gateway = start()
    first = signed_in(gateway, dev, "one", "alice")
    options = post(gateway, first, "/account/second-factors/start", json={"type": "webauthn", "display_name": "Key"}).json()
    assert options["enrollment"]
    key = options["publicKey"]
    assert key["rp"]["id"] == "127.0.0.1" and {-7, -257} <= {parameter["alg"] for parameter in key["pubKeyCredParams"]}
    assert re.fullmatch(r"[A-Za-z0-9_-]{22,}", key["challenge"]) and key["user"]["id"]
    refused = post(gateway, first, "/account/second-factors/verify", json={"enrollment": options["enrollment"], "credential": {"id": "AAAA"}})
    assert refused.status_code == 400 and code(refused) == "auth/invalid-verification-code"


# --- Enrolment, removal, policy -----------------------------------------------------------------------------------------


def test_removing_a_factor(start, dev, mailbox):
    gateway = start()
    first = signed_in(gateway, dev, "one", "alice")
    enrol(gateway, first)
    (shown,) = account(gateway, first)["second_factors"]
    assert post(gateway, first, "/account/second-factors/remove", json={"factor": "nothing"}).status_code == 404
    assert submit(gateway, first, "/account/second-factors/remove", factor=shown["id"]).status_code == 303
    assert account(gateway, first)["second_factors"] == []
    assert log_in(gateway, dev, "one", "alice")[1].headers["Location"] == "/"
    assert "second factor" in mailbox.latest("alice@example.com", 2).lower()


def test_five_factors_at_most(start, dev):
    gateway = start()
    first = signed_in(gateway, dev, "one", "alice")
    for number in range(5):
        enrol(gateway, first, f"App {number}")
    answer = post(gateway, first, "/account/second-factors/start", json={"type": "totp"})
    assert answer.status_code == 409 and code(answer) == "auth/maximum-second-factor-count-exceeded"


def test_an_unverified_address_cannot_have_one(start, dev):
    gateway = start()
    answer = post(gateway, signed_in(gateway, dev, "one", "carol"), "/account/second-factors/start", json={"type": "totp"})
    assert answer.status_code == 403 and code(answer) == "auth/unverified-email"


def test_required_leads_through_enrolment(start, dev):
    gateway = start({"policy": "required"})
    client, answer = log_in(gateway, dev, "one", "alice", rd="/x")
    assert answer.status_code == 303 and answer.headers["Location"] == "/_gateway/account/second-factors?rd=%2Fx"
    assert not client.cookies.get("session") and client.get(gateway.own("/userinfo"), timeout=60).status_code == 401
    page = client.get(gateway.own("/account/second-factors?rd=/x"), headers=NAVIGATION, timeout=60)
    assert page.status_code == 200, page.text[:400]
    begun = submit(gateway, client, "/account/second-factors/start", type="totp", rd="/x")
    assert begun.status_code == 200 and "data:image/svg+xml" in begun.text
    enrollment = html.unescape(re.search(r'name="enrollment" value="([^"]+)"', begun.text).group(1))
    secret = re.search(r"secret=([A-Z2-7]{32})", html.unescape(begun.text)).group(1)
    wrong = submit(gateway, client, "/account/second-factors/verify", enrollment=enrollment, code="000000", rd="/x")
    assert wrong.status_code == 400 and "<form" in wrong.text
    done = submit(gateway, client, "/account/second-factors/verify", enrollment=enrollment, code=totp(secret, now_step()), rd="/x")
    assert done.status_code == 303 and done.headers["Location"] == "/x", done.text[:500]
    assert userinfo(gateway, client)["second_factor"] == "totp"
    nobody = new_client()
    assert post(gateway, nobody, "/login/anonymous").status_code == 200, "anonymous users are exempt"


def test_off_has_no_endpoints(start, dev):
    gateway = start({"policy": "off"}, routes=[])
    client = signed_in(gateway, dev, "one", "alice")
    for path in ("/second-factor", "/account/second-factors"):
        assert client.get(gateway.own(path), timeout=60).status_code == 404
    assert post(gateway, client, "/account/second-factors/start", json={"type": "totp"}).status_code == 404


# --- Step-up ------------------------------------------------------------------------------------------------------------


def test_a_route_that_wants_a_second_factor_leads_to_it_and_back(start, dev):
    gateway = start()
    client = signed_in(gateway, dev, "one", "alice")
    page = client.get(gateway.url("/strong/page?q=1"), headers=NAVIGATION, allow_redirects=False, timeout=60)
    assert page.status_code == 302 and page.headers["Location"] == "/_gateway/second-factor?rd=%2Fstrong%2Fpage%3Fq%3D1"
    program = client.get(gateway.url("/strong/page"), timeout=60)
    assert program.status_code == 401 and code(program) == "auth/multi-factor-auth-required"
    assert 'error="insufficient_user_authentication"' in program.headers["WWW-Authenticate"]
    enrolment = client.get(gateway.url(page.headers["Location"]), headers=NAVIGATION, allow_redirects=False, timeout=60)
    assert enrolment.status_code == 303 and "/account/second-factors" in enrolment.headers["Location"], "who has none adds one"
    enrol(gateway, client)
    assert client.get(gateway.url("/strong/page"), timeout=60).status_code == 200


def test_a_browser_that_is_remembered_is_asked_only_where_a_route_asks(start, dev):
    gateway = start({"rememberBrowser": "30d"})
    first = signed_in(gateway, dev, "one", "alice")
    app = enrol(gateway, first)
    client, _ = pending(gateway, dev, "alice")
    (hint,) = hints(gateway, client)
    answer = submit(gateway, client, "/second-factor/verify", factor=hint["id"], code=app.code(), remember="true")
    assert answer.status_code == 303 and client.cookies.get("session-browser")
    _, again = log_in(gateway, dev, "one", "alice", client)
    assert again.headers["Location"] == "/" and userinfo(gateway, client)["second_factor"] is None
    assert client.get(gateway.url("/strong/x"), timeout=60).status_code == 401
    (hint,) = hints(gateway, client)
    assert post(gateway, client, "/second-factor/verify", json={"factor": hint["id"], "code": app.code()}).status_code == 200
    assert client.get(gateway.url("/strong/x"), timeout=60).status_code == 200
    begun = begin(gateway, client, "/reauthenticate")
    assert "/second-factor" in callback(dev, client, begun, "alice").headers["Location"], "re-authentication asks again"


def test_a_checkbox_that_says_false_is_not_ticked(start, dev):
    """`remember=false` counted as ticked, and JSON could not say `true` or `false`."""
    gateway = start({"rememberBrowser": "30d"})
    app = enrol(gateway, signed_in(gateway, dev, "one", "alice"))
    for remember in (False, "false", ""):
        client, _ = pending(gateway, dev, "alice")
        (hint,) = hints(gateway, client)
        answer = post(gateway, client, "/second-factor/verify", json={"factor": hint["id"], "code": app.code(), "remember": remember})
        assert answer.status_code == 200 and not client.cookies.get("session-browser"), remember
    client, _ = pending(gateway, dev, "alice")
    (hint,) = hints(gateway, client)
    answer = post(gateway, client, "/second-factor/verify", json={"factor": hint["id"], "code": app.code(), "remember": True})
    assert answer.status_code == 200 and client.cookies.get("session-browser")


def test_headers_say_which_factor(start, dev):
    gateway = start(identity={"headers": {"X-Factor": "{{ secondFactor }}"}})
    client = signed_in(gateway, dev, "one", "alice")
    assert "x-factor" not in {name.lower() for name, _ in client.get(gateway.url("/"), timeout=60).json()["headers"]}
    enrol(gateway, client)
    assert ["X-Factor", "totp"] in client.get(gateway.url("/"), timeout=60).json()["headers"]


def test_a_user_who_lost_the_phone_gets_in_with_a_recovery_code_and_adds_a_new_one(start, dev):
    """docs/second-factors.md, "A user who lost everything": the way that needs no operator."""
    gateway = start()
    first = signed_in(gateway, dev, "one", "alice")
    enrol(gateway, first, "Lost phone")
    codes = post(gateway, first, "/account/second-factors/start", json={"type": "recovery"}).json()["codes"]
    client, _ = pending(gateway, dev, "alice")
    ids = {hint["type"]: hint["id"] for hint in hints(gateway, client)}
    assert post(gateway, client, "/second-factor/verify", json={"factor": ids["recovery"], "code": codes[0]}).status_code == 200
    app = enrol(gateway, client, "New phone")
    assert post(gateway, client, "/account/second-factors/remove", json={"factor": ids["totp"]}).status_code == 204
    again, _ = pending(gateway, dev, "alice")
    shown = {hint["display_name"]: hint["id"] for hint in hints(gateway, again) if hint["type"] == "totp"}
    assert set(shown) == {"New phone"}
    assert post(gateway, again, "/second-factor/verify", json={"factor": shown["New phone"], "code": app.code()}).status_code == 200


def test_a_change_of_the_account_keeps_the_second_factor_of_its_session(start, dev):
    gateway = start(providers=[{**dev.configuration, "id": "oidc.one", "displayName": "One"}, {"id": "password"}])
    client = signed_in(gateway, dev, "one", "alice")
    enrol(gateway, client)
    assert post(gateway, client, "/account/password", json={"new_password": "correct horse 41"}).status_code == 204
    assert userinfo(gateway, client)["second_factor"] == "totp" and client.get(gateway.url("/strong/x"), timeout=60).status_code == 200
    assert post(gateway, client, "/unlink/password").status_code == 204
    assert userinfo(gateway, client)["second_factor"] == "totp"


# --- Operators ----------------------------------------------------------------------------------------------------------


def test_an_operator_removes_the_factors_of_a_user_who_lost_them(start, dev):
    gateway = start()
    client = signed_in(gateway, dev, "one", "alice")
    uid = userinfo(gateway, client)["uid"]
    enrol(gateway, client, "Phone app")
    shown = run_command("users", "show", uid, "--config", str(gateway.file))
    assert shown.returncode == 0 and "second factor totp Phone app" in shown.stdout, shown.stdout + shown.stderr
    listed = json.loads(run_command("users", "show", uid, "--format", "json", "--config", str(gateway.file)).stdout)
    assert [factor["type"] for factor in listed["second_factors"]] == ["totp"]
    done = run_command("users", "reset-factors", uid, "--config", str(gateway.file))
    assert done.returncode == 0, done.stderr
    eventually(lambda: client.get(gateway.own("/userinfo"), timeout=60).status_code == 401, "the sessions to end", timeout=60)
    assert log_in(gateway, dev, "one", "alice")[1].headers["Location"] == "/", "no factor is asked for"
    missing = run_command("users", "reset-factors", "nobody", "--config", str(gateway.file))
    assert missing.returncode == 1


def test_the_receiver_of_the_page_takes_messages(folder, start_gateway, dev, tmp_path):
    """docs/second-factors.md, as it stands."""
    program = re.search(r"## Text messages\n.*?```python\n(.*?)```", (ROOT / "docs/second-factors.md").read_text(encoding="utf-8"), re.DOTALL)
    assert program
    file, port = folder / "sms-receiver.py", free_port()
    file.write_text(program.group(1), encoding="utf-8")
    process = Process("sms-receiver", [sys.executable, str(file)], folder, {**os.environ, "SMS_SECRET": SECRET, "PORT": str(port)})
    try:
        eventually(lambda: socket.socket().connect_ex(("127.0.0.1", port)) == 0, "the receiver to listen")
        answers = []
        for number, secret in enumerate((SECRET, "another-secret-5d10e7aa")):
            gateway = start_gateway(
                {
                    "providers": [{**dev.configuration, "id": "oidc.one"}],
                    "accounts": {"store": f"sqlite:{tmp_path}/accounts{number}.db", "keys": [session_key()]},
                    "secondFactor": {"factors": ["totp", "phone"], "phone": {"url": f"http://127.0.0.1:{port}/send", "secret": secret}},
                }
            )
            client = signed_in(gateway, dev, "one", "alice")
            answers.append(post(gateway, client, "/account/second-factors/start", json={"type": "phone", "phone": "+4915112341234"}).status_code)
        assert answers == [200, 503]
        assert "to +49" in process.output()
    finally:
        process.kill()

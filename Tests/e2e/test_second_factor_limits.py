"""The limits of second factors under attack (contract §9): parallel guesses from many addresses over two gateways with one store."""

from __future__ import annotations

import collections
import concurrent.futures
import itertools

import pytest

from accounts import code
from parts.factor_devices import now_step, totp
from parts.factor_users import Browser, FactorUser
from parts.gateway import Gateway, session_key
from parts.postgres import Postgres
from parts.seed import seeded
from parts.signed_receiver import SignedReceiver
from parts.static_issuer import StaticIssuer

SECRET = "sms-secret-1f60c3aa"
CHANCE = seeded("replicas")
# Not a generator: several threads take from it.
ADDRESSES = map(lambda number: f"203.0.{number >> 8}.{number & 255}", itertools.count(1))


@pytest.fixture(scope="module")
def issuer():
    part = StaticIssuer()
    yield part
    part.close()


@pytest.fixture(scope="module")
def messages():
    part = SignedReceiver(SECRET)
    yield part
    part.close()


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def gateways(request, start_gateway, issuer, messages, tmp_path_factory):
    """Two replicas of one site."""
    server = Postgres() if request.param == "postgres" else None
    store = server.database("limits") if server else f"sqlite:{tmp_path_factory.mktemp('limits')}/accounts.db"
    shared = {
        "providers": [{"id": "oidc.one", **issuer.configuration}],
        "accounts": {"store": store, "keys": [session_key()]},
        "secondFactor": {
            "factors": ["totp", "webauthn", "recovery", "phone"],
            "phone": {"url": messages.url("/send"), "secret": SECRET},
        },
        "session": {"exchange": {"providers": ["oidc.one"]}, "keys": [session_key()]},
        "server": {"trustedProxies": ["127.0.0.0/8"]},
        "logging": {"level": "info"},
    }
    first = start_gateway(shared)
    second = start_gateway({**shared, "server": {**shared["server"], "publicURL": first.origin}})
    yield first, second
    first.kill()
    second.kill()
    if server:
        server.close()


@pytest.fixture
def user(gateways, issuer, messages):
    user = FactorUser(gateways[0], issuer, messages)
    return user.enrol(user.session(), "totp", "recovery", "webauthn")


def wrong_codes(user: FactorUser):
    """Six digits each, none of them a code of these minutes."""
    right = {totp(user.app.secret, now_step() + step) for step in range(-4, 5)}
    return (text for text in (f"{number:06d}" for number in range(1_000_000)) if text not in right)


def guess(gateways: tuple[Gateway, Gateway], cookies: dict[str, str], fields: dict[str, str]) -> str:
    """From an address of its own, at one of the replicas."""
    browser = Browser(CHANCE.choice(gateways), cookies)
    headers = {"Origin": gateways[0].origin, "X-Forwarded-For": next(ADDRESSES)}
    answer = browser.post("/second-factor/verify", fields, **headers)
    assert answer.status_code in (400, 401, 429) and not answer.headers.get("Set-Cookie", "").startswith("session="), answer.text
    if answer.status_code == 429 and "Retry-After" not in answer.headers:
        return "ended"
    return code(answer)


def attack(gateways, tries) -> collections.Counter:
    with concurrent.futures.ThreadPoolExecutor(32) as pool:
        return collections.Counter(pool.map(lambda given: guess(gateways, *given), tries))


def test_a_thousand_guesses_in_parallel_get_ten_tries_and_a_passkey_still_works(gateways, user):
    pending = [user.waiting().cookies for _ in range(200)]
    factor = user.factors(Browser(gateways[0], pending[0]))["totp"]
    codes = wrong_codes(user)
    answers = attack(gateways, [(cookies, {"factor": factor, "code": next(codes)}) for cookies in pending * 5])
    assert answers["auth/invalid-verification-code"] == 10 and answers.total() == 1000, answers

    # The user, at either replica: neither codes nor recovery codes are taken for the rest of the hour; a passkey is.
    for number, gateway in enumerate(gateways):
        waiting = user.waiting()
        ids = user.factors(waiting)
        for kind in ("totp", "recovery"):
            closed = waiting.post("/second-factor/verify", user.proof(waiting, kind, ids[kind]))
            assert closed.status_code == 429 and code(closed) == "auth/too-many-requests" and 60 < int(closed.headers["Retry-After"]) <= 3600
        there = Browser(gateway, waiting.cookies)
        begun = there.post("/second-factor/start", {"factor": ids["webauthn"]}, Origin=gateways[0].origin)
        assert begun.status_code == 200, begun.text
        proof = {"factor": ids["webauthn"], "credential": user.key.sign(begun.json()["publicKey"])}
        assert there.post("/second-factor/verify", proof, Origin=gateways[0].origin).status_code == 200, f"replica {number}"
        assert there.shown()["second_factor"] == "webauthn"


def test_a_thousand_guesses_at_one_pending_sign_in_get_five_tries(gateways, user):
    pending = user.waiting().cookies
    factor = user.factors(Browser(gateways[0], pending))["totp"]
    codes = wrong_codes(user)
    answers = attack(gateways, [(pending, {"factor": factor, "code": next(codes)}) for _ in range(1000)])
    assert answers["auth/invalid-verification-code"] == 5 and answers.total() == 1000, answers
    waiting = user.waiting()
    assert waiting.post("/second-factor/verify", user.proof(waiting, "totp", factor)).status_code == 200, "five of the account's ten are left"


def test_wrong_assertions_close_no_codes_and_successes_reset_no_limit(gateways, user):
    for _ in range(4):
        waiting = user.waiting()
        ids = user.factors(waiting)
        user.proof(waiting, "webauthn", ids["webauthn"])
        for _ in range(5):
            refused = waiting.post("/second-factor/verify", {"factor": ids["webauthn"], "credential": {"id": "AAAA"}})
            assert code(refused) == "auth/invalid-verification-code"
    for number in range(10):
        waiting = user.waiting()
        if number in (3, 7):
            assert waiting.post("/second-factor/verify", user.proof(waiting, "recovery", ids["recovery"])).status_code == 200
            waiting = user.waiting()
        refused = waiting.post("/second-factor/verify", {"factor": ids["totp"], "code": next(wrong_codes(user))})
        assert code(refused) == "auth/invalid-verification-code", number
    waiting = user.waiting()
    closed = waiting.post("/second-factor/verify", user.proof(waiting, "recovery", ids["recovery"]))
    assert closed.status_code == 429, "ten wrong codes, whatever succeeded in between"


def test_messages_in_parallel_are_three_at_most(gateways, issuer, messages):
    user = FactorUser(gateways[0], issuer, messages)
    user.enrol(user.session(), "phone")
    sent = len(messages.events("/send"))
    waiting = [user.waiting().cookies for _ in range(20)]
    factor = user.factors(Browser(gateways[0], waiting[0]))["phone"]

    def start(cookies):
        headers = {"Origin": gateways[0].origin, "X-Forwarded-For": next(ADDRESSES)}
        return Browser(CHANCE.choice(gateways), cookies).post("/second-factor/start", {"factor": factor}, **headers).status_code

    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        answers = collections.Counter(pool.map(start, waiting))
    assert answers == {204: 2, 429: 18} and len(messages.events("/send")) == sent + 2, "enrolment's message counts"

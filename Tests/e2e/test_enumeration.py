"""Whether an address has an account shows neither in words nor in status, headers, time, or in what follows (contract §8).

Tests of time compare medians of a known and an unknown address that were measured in turn, and allow a factor of two: one password hash or
one write to the disk more is a larger difference.
"""

from __future__ import annotations

import itertools
import json
import sqlite3
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

import pytest
import requests

from accounts import account, code, post, submit, userinfo
from logins import new_client
from parts.gateway import Gateway, run_command, session_key
from parts.mailbox import Mailbox
from parts.postgres import Postgres

PASSWORD = "correct horse battery staple"
WRONG = "wrong, and long enough"
NAMES = itertools.count()
# github.com/firebase/scrypt, README.md: the password is `user1password`.
FIREBASE = {
    "passwordHash": "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==",
    "salt": "42xEC+ixf3L2lw==",
}
PROJECT = [
    "--hash-key", "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==",
    "--salt-separator", "Bw==", "--rounds", "8", "--mem-cost", "14",
]  # fmt: skip


def fresh_address() -> str:
    return f"somebody{next(NAMES)}@example.org"


@pytest.fixture(scope="module")
def mailbox():
    box = Mailbox()
    yield box
    box.close()


@pytest.fixture(scope="module")
def postgres():
    server = Postgres()
    yield server
    server.close()


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def start(request, start_gateway, mailbox, tmp_path_factory):
    def start(**changes) -> Gateway:
        if request.param == "postgres":
            store = request.getfixturevalue("postgres").database(f"enumeration{next(NAMES)}")
        else:
            store = f"sqlite:{tmp_path_factory.mktemp('enumeration')}/accounts.db"
        return start_gateway(
            {
                "providers": [{"id": "password"}, {"id": "anonymous"}],
                "accounts": {"store": store, "keys": [session_key()]},
                "mail": {"url": mailbox.url, "from": "Example <no-reply@example.com>"},
                **changes,
            }
        )

    return start


@pytest.fixture(scope="module")
def gateway(start):
    return start()


def verified(gateway: Gateway, mailbox: Mailbox) -> str:
    address = fresh_address()
    assert post(gateway, new_client(), "/sign-up", json={"email": address, "password": PASSWORD}).status_code == 204
    body = {"token": mailbox.token(address), "password": PASSWORD}
    assert post(gateway, new_client(), "/verify-email", json=body).status_code == 204
    return address


def signed_in(gateway: Gateway, address: str) -> requests.Session:
    client = new_client()
    assert post(gateway, client, "/login/password", json={"email": address, "password": PASSWORD}).status_code == 200
    return client


def anonymous(gateway: Gateway) -> requests.Session:
    client = new_client()
    assert post(gateway, client, "/login/anonymous").status_code == 200
    return client


def seen(answer: requests.Response) -> tuple:
    """What a client sees of an answer, apart from the request's id and the time."""
    headers = {name: value for name, value in answer.headers.items() if name not in ("Date", "X-Request-Id")}
    return answer.status_code, answer.text, headers, sorted(answer.cookies.keys())


def ratio(known: Callable[[], requests.Response], unknown: Callable[[], requests.Response], turns: int) -> float:
    """The median time of `known` to that of `unknown`; each turn begins with the other one."""
    times: dict[bool, list[float]] = {True: [], False: []}
    for turn in range(turns):
        for is_known in (True, False) if turn % 2 else (False, True):
            began = time.perf_counter()
            (known if is_known else unknown)()
            times[is_known].append(time.perf_counter() - began)
    return statistics.median(times[True]) / statistics.median(times[False])


def take_as_long(known: Callable[[], requests.Response], unknown: Callable[[], requests.Response], turns: int, factor: float) -> None:
    """Other work on the machine can disturb a measurement, but does not make different work look alike: one of three is enough."""
    measured: list[float] = []
    while not measured or not 1 / factor < measured[-1] < factor:
        assert len(measured) < 3, f"a known address takes {measured} times as long as an unknown one"
        measured.append(ratio(known, unknown, turns))


# --- Sign-in ------------------------------------------------------------------------------------------------------------


def test_a_wrong_password_for_an_imported_account_takes_as_long_as_for_an_unknown_address(start, tmp_path):
    gateway = start()
    imported = [fresh_address() for _ in range(8)]
    users = [{"localId": f"imported{number}", "email": address, "emailVerified": True, **FIREBASE} for number, address in enumerate(imported)]
    file = tmp_path / "users.json"
    file.write_text(json.dumps({"users": users}))
    result = run_command("users", "import", "--from", "firebase", str(file), *PROJECT, "--config", str(gateway.file))
    assert result.returncode == 0, result.stderr
    # What the store has is read at the start, and once a minute.
    gateway.restart()
    addresses = itertools.cycle(imported)

    def sign_in(address: str) -> requests.Response:
        answer = post(gateway, new_client(), "/login/password", json={"email": address, "password": WRONG})
        assert answer.status_code == 401 and code(answer) == "auth/invalid-credential"
        return answer

    take_as_long(lambda: sign_in(next(addresses)), lambda: sign_in(fresh_address()), turns=3, factor=2)
    right = post(gateway, new_client(), "/login/password", json={"email": imported[0], "password": "user1password"})
    assert right.status_code == 200, right.text


def test_sign_ins_with_a_known_and_an_unknown_address_have_the_same_answer(gateway, mailbox):
    known = verified(gateway, mailbox)

    def answer(address: str) -> tuple:
        status, text, headers, cookies = seen(post(gateway, new_client(), "/login/password", json={"email": address, "password": WRONG}))
        body = json.loads(text)
        body["error"].pop("request_id")
        return status, body, headers, cookies

    assert answer(known) == answer(fresh_address())


# --- Registration -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["nobody", "anonymous"])
def test_a_registration_shows_nothing_about_the_address(gateway, mailbox, kind):
    taken = verified(gateway, mailbox)
    shown = []
    for address in (taken, fresh_address()):
        client = anonymous(gateway) if kind == "anonymous" else new_client()
        before = dict(client.cookies)
        answer = post(gateway, client, "/sign-up", json={"email": address, "password": "another horse, another battery"})
        session = (None, None, None)
        if kind == "anonymous":
            user, own = userinfo(gateway, client), account(gateway, client)
            session = ({key: user[key] for key in ("anonymous", "email", "provider", "providers")}, own["email"], own["providers"])
        again = post(gateway, client, "/sign-up", json={"email": address, "password": "another horse, another battery"})
        shown.append((seen(answer), dict(client.cookies) == before, session, seen(again)))
    assert shown[0] == shown[1]
    assert shown[0][0][0] == 204 and shown[0][1], "no cookie changes"
    form = [submit(gateway, new_client(), "/sign-up", email=address, password=PASSWORD) for address in (taken, fresh_address())]
    assert seen(form[0]) == seen(form[1]) and form[0].status_code == 303


def test_a_registration_takes_as_long_for_a_taken_address_as_for_a_free_one(gateway, mailbox):
    taken = verified(gateway, mailbox)

    def register(address: str) -> requests.Response:
        answer = post(gateway, new_client(), "/sign-up", json={"email": address, "password": "another horse, another battery"})
        assert answer.status_code == 204
        return answer

    take_as_long(lambda: register(taken), lambda: register(fresh_address()), turns=3, factor=2)


# --- Mails that a user asks for -----------------------------------------------------------------------------------------


@contextmanager
def triggers(gateway: Gateway, postgres: Callable[[], Postgres], sqlite_body: str, postgres_body: str) -> Iterator[None]:
    """Before the store writes a token of a mail, or an id that is written in its place, it does something else."""
    tables = ("mail_tokens", "used_ids")
    store = gateway.configuration["accounts"]["store"]
    if store.startswith("sqlite:"):
        with closing(sqlite3.connect(store.removeprefix("sqlite:"), isolation_level=None, timeout=60)) as connection:
            for table in tables:
                connection.execute(f"CREATE TRIGGER before_{table} BEFORE INSERT ON {table} BEGIN {sqlite_body}; END")
            yield
            for table in tables:
                connection.execute(f"DROP TRIGGER before_{table}")
        return
    server, database = postgres(), store.removeprefix("postgres://gateway@/").partition("?")[0]
    server.execute(
        database, f"CREATE FUNCTION before_token() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {postgres_body}; RETURN NEW; END $$"
    )
    for table in tables:
        server.execute(database, f"CREATE TRIGGER before_token BEFORE INSERT ON {table} FOR EACH ROW EXECUTE FUNCTION before_token()")
    yield
    server.execute(database, "DROP FUNCTION before_token CASCADE")


def part_before_the_answer(send: Callable[[], requests.Response], mailbox: Mailbox, address: str) -> float:
    """The time until the answer, as a part of the time until the mail of the same request."""
    before, began = len(mailbox.to(address)), time.perf_counter()
    assert send().status_code == 204
    answered = time.perf_counter() - began
    mailbox.latest(address, before + 1)
    return answered / (time.perf_counter() - began)


@pytest.mark.parametrize("kind", ["a reset", "a change of the address"])
def test_the_answer_does_not_wait_for_a_token_that_only_some_addresses_get(gateway, mailbox, request, kind):
    """The answer to a taken address came 3 ms before that to a free one. Here, a token takes much longer to write."""
    known, unknown = verified(gateway, mailbox), fresh_address()
    client = signed_in(gateway, verified(gateway, mailbox))
    path, gets_mail = ("/password/reset", known) if kind == "a reset" else ("/account/email", unknown)

    def send(address: str) -> requests.Response:
        return post(gateway, client, path, json={"email": address})

    slow = (
        "SELECT (WITH RECURSIVE many(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < 500000) SELECT count(*) FROM many)",
        "PERFORM count(*) FROM generate_series(1, 2000000)",
    )
    with triggers(gateway, lambda: request.getfixturevalue("postgres"), *slow):
        parts = [part_before_the_answer(lambda: send(gets_mail), mailbox, gets_mail) for _ in range(3)]
    assert min(parts) < 0.5, parts
    assert seen(send(known)) == seen(send(unknown))
    forms = [submit(gateway, client, path, email=address) for address in (known, unknown)]
    assert seen(forms[0]) == seen(forms[1]) and forms[0].status_code == 303


def test_a_registration_writes_as_much_for_a_taken_address_as_for_a_free_one(gateway, mailbox, request):
    """Its answer says that the account is on disk, so both wait for a write. Here, both are refused."""
    taken, free = verified(gateway, mailbox), fresh_address()
    refused = ("INSERT INTO nowhere VALUES (1)", "RAISE EXCEPTION 'refused'")
    with triggers(gateway, lambda: request.getfixturevalue("postgres"), *refused):
        answers = [post(gateway, new_client(), "/sign-up", json={"email": address, "password": PASSWORD}) for address in (taken, free)]
        assert [(answer.status_code, code(answer)) for answer in answers] == [(503, "auth/store-unavailable")] * 2

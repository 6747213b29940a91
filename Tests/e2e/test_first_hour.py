"""The first hour of a new user: `gateway demo --upstream` in front of their own app, then `gateway init`."""

from __future__ import annotations

import contextlib
import os
import pathlib
import pty
import re
import signal
import socket
import stat
import struct
import subprocess
import termios
import time
from collections.abc import Iterator
from fcntl import ioctl
from urllib.parse import urlsplit

import pytest
import requests
from forms import forms_of
from forms import form_with
from logins import NAVIGATION, new_client
from parts.dev_provider import CLIENT_ID, CLIENT_SECRET, DevProvider
from parts.gateway import BINARY, SLOWDOWN, run_command
from parts.processes import Process, eventually, free_port
from parts.upstream import Upstream
from test_lifecycle import upstream_of
from test_websocket import FRAME, HANDSHAKE, Echo, exactly, handshake
from wire import is_readable

# --- gateway demo --upstream -------------------------------------------------------------------------------------------


@contextlib.contextmanager
def demo_of(folder: pathlib.Path, upstream: str | None = None, **environment: str) -> Iterator[tuple[str, Process]]:
    """The demo in front of an app, or with its own, and the address that it prints."""
    process = Process("demo", [str(BINARY), "demo", "--port", "0", *(["--upstream", upstream] if upstream else [])], folder, environment)
    try:
        process.wait_until(lambda: "Ctrl-C" in process.output(), "what to do")
        found = re.search(r"^ +(http://127\.0\.0\.1:\d+)/$", process.output(), re.MULTILINE)
        assert found, process.output()
        yield found.group(1), process
        assert process.terminate() == 0
    finally:
        process.kill()


def widest(text: str) -> int:
    """The length of the longest line, without the log: where few files may be open, it has a warning."""
    return max(len(line) for line in text.splitlines() if not re.match(r"\d{4}-\d\d-\d\dT", line))


def signed_in(address: str, person: str) -> tuple[requests.Session, requests.Response]:
    """Opens the demo's address and follows the pages, as a user does; the app's answer."""
    client = new_client()
    page = client.get(address + "/start?a=1", headers=NAVIGATION, timeout=60)
    if not any("person" in form.fields for form in forms_of(page.text)):
        link = re.search(r'href="([^"]*/_gateway/login/oidc.acme[^"]*)"', page.text)
        assert link, page.text[:1000]
        page = client.get(requests.compat.urljoin(page.url, link.group(1).replace("&amp;", "&")), headers=NAVIGATION, timeout=60)
    return client, client.get(DevProvider.choose(client, page, person), headers=NAVIGATION, timeout=60)


def test_the_demo_puts_sign_in_in_front_of_an_app_of_the_users_own(tmp_path):
    app = Upstream()
    with demo_of(tmp_path, f"http://localhost:{app.port}") as (address, process):
        text = process.output()
        assert "does not answer" not in text
        assert widest(text) <= 80
        for user in ("alice", "bob", "carol", "zoe", "erin", "grace"):
            assert re.search(rf"^ +{user} ", text, re.MULTILINE), user
        assert "no passwords" in text
        assert requests.get(address + "/health", timeout=60).status_code == 401, "no path of the user's app is public"
        client, answer = signed_in(address, "alice")
        assert answer.status_code == 200
        recording = app.only("/start?a=1")
        assert recording.target == "/start?a=1"
        printed = dict(re.findall(r"^ +(X-Forwarded-[A-Za-z-]+) +(.*)$", text, re.MULTILINE))
        received = {name: recording.value(name) for name in printed}
        assert received.pop("X-Forwarded-User")
        printed.pop("X-Forwarded-User")
        assert received == printed
    app.close()


def test_the_demo_may_be_opened_as_localhost(tmp_path):
    app = Upstream()
    with demo_of(tmp_path, app.origin) as (address, _):
        client, answer = signed_in(address.replace("127.0.0.1", "localhost"), "alice")
        assert answer.status_code == 200 and app.only("/start?a=1")
        again = client.get(address.replace("127.0.0.1", "localhost") + "/again", headers=NAVIGATION, timeout=60)
        assert again.status_code == 200 and app.only("/again").value("X-Forwarded-Email") == "alice@example.com"
    app.close()


def test_the_demo_starts_before_the_app(tmp_path):
    port = free_port()
    with demo_of(tmp_path, f"http://localhost:{port}") as (address, process):
        eventually(lambda: "does not answer yet (connection refused)" in process.output(), "a note that the app is down")
        client, answer = signed_in(address, "bob")
        assert answer.status_code == 502
        app = Upstream(port)
        eventually(lambda: client.get(address + "/", timeout=60).status_code == 200, "an answer of the app")
        app.close()


def choose(client: requests.Session, address: str, provider: str, person: str, path: str = "/echo") -> requests.Response:
    """Signs in with one of the demo's providers; the answer to `path`."""
    page = client.get(f"{address}/_gateway/login/oidc.{provider}?rd={path}", headers=NAVIGATION, timeout=60)
    return client.get(DevProvider.choose(client, page, person), headers=NAVIGATION, timeout=60)


def headers_of(answer: requests.Response) -> dict[str, str]:
    assert answer.status_code == 200, f"{answer.status_code}: {answer.text[:800]}"
    return dict(answer.json()["headers"])


def test_the_demo_shows_one_account_with_two_providers(tmp_path):
    """What the demo's text proposes: link, sign in with the other provider, meet a conflict and resolve it."""
    with demo_of(tmp_path) as (address, process):
        text = process.output()
        assert widest(text) <= 80
        assert f"{address}/_gateway/account" in text and "link Partner" in text and "a private window" in text
        client = new_client()
        alice = headers_of(choose(client, address, "acme", "alice"))
        own = {"Origin": address, **NAVIGATION, "Sec-Fetch-Site": "same-origin"}
        page = client.post(address + "/_gateway/link/oidc.partner", headers=own, timeout=60)
        account = client.get(DevProvider.choose(client, page, "alice"), headers=NAVIGATION, timeout=60)
        assert account.status_code == 200 and account.url == address + "/_gateway/account"
        again = headers_of(choose(new_client(), address, "partner", "alice"))
        assert again["X-Forwarded-User"] == alice["X-Forwarded-User"] and again["X-Forwarded-Provider"] == "oidc.partner"

        bob = headers_of(choose(new_client(), address, "acme", "bob"))
        private = new_client()
        conflict = choose(private, address, "partner", "bob")
        assert conflict.status_code == 409 and "Sign in with <bdi>Acme</bdi>" in conflict.text
        question = choose(private, address, "acme", "bob")
        assert "Link Partner to your account?" in question.text and "No, do not link" in question.text
        answer = private.post(address + "/_gateway/account/pending", data={"accept": "true"}, headers=own, timeout=20)
        assert answer.status_code == 200, f"{answer.status_code}: {answer.text[:500]}"
        assert headers_of(choose(new_client(), address, "partner", "bob"))["X-Forwarded-User"] == bob["X-Forwarded-User"]


def test_the_demo_shows_the_code_of_a_user_with_a_second_factor(tmp_path):
    """What the demo's text proposes: sign in as Grace with the code that Acme's page shows."""
    with demo_of(tmp_path) as (address, process):
        assert "Sign in with Acme as Grace" in process.output()
        client = new_client()
        page = client.get(f"{address}/_gateway/login/oidc.acme?rd=/vault/x", headers=NAVIGATION, timeout=60)
        shown = re.search(r'value="grace".*?<code>(\d{3}) (\d{3})</code>', page.text)
        assert shown and page.text.count("<code>") == 1, "only Grace has an app"
        question = client.get(DevProvider.choose(client, page, "grace"), headers=NAVIGATION, timeout=60)
        assert question.url.startswith(f"{address}/_gateway/second-factor") and "Authenticator app of the demo" in question.text
        assert client.get(address + "/echo", timeout=60).status_code == 401
        form = form_with(question.text, "code")
        own = {"Origin": address, **NAVIGATION, "Sec-Fetch-Site": "same-origin"}
        answer = client.post(address + form.action, data={**form.fields, "code": shown.group(1) + shown.group(2)}, headers=own, timeout=60)
        assert answer.status_code == 200 and answer.url == f"{address}/vault/x" and "Grace Green" in answer.text
        other = new_client()
        assert headers_of(choose(other, address, "acme", "alice"))
        assert other.get(address + "/vault/x", timeout=60).status_code == 401


def test_the_demo_prints_the_mails_of_a_registration(tmp_path):
    with demo_of(tmp_path) as (address, process):
        client = new_client()
        own = {"Origin": address, "Accept-Language": "de"}
        fields = {"email": "dora@example.org", "password": "correct horse battery staple"}
        assert client.post(address + "/_gateway/sign-up", json=fields, headers=own, timeout=60).status_code == 204
        eventually(lambda: re.search(r"^ +http://\S+/verify-email\?token=\S+$", process.output(), re.MULTILINE) is not None, "the mail")
        mail = process.output().split("Mail to dora@example.org:")[1]
        assert all(len(line) <= 80 for line in mail.splitlines() if "http" not in line) and "ä" in mail, "German, and decoded"
        token = re.search(r"token=(\S+)", mail).group(1)
        confirmed = client.post(address + "/_gateway/verify-email", json={"token": token, "password": fields["password"]}, headers=own, timeout=60)
        assert confirmed.status_code == 204
        assert client.post(address + "/_gateway/login/password", json=fields, headers=own, timeout=60).json()["email_verified"] is True
        guest = new_client()
        assert guest.post(address + "/_gateway/login/anonymous", headers=own, timeout=60).status_code == 200
        before = headers_of(guest.get(address + "/echo", timeout=60))
        assert before["X-Forwarded-User"] and "X-Forwarded-Email" not in before
        page = guest.post(address + "/_gateway/link/oidc.partner", headers=own, timeout=60)
        guest.get(DevProvider.choose(guest, page, "zoe"), headers=NAVIGATION, timeout=60)
        after = headers_of(guest.get(address + "/echo", timeout=60))
        assert (after["X-Forwarded-User"], after["X-Forwarded-Email"]) == (before["X-Forwarded-User"], "zoe@example.com")


def test_the_demo_leaves_no_file_behind(tmp_path):
    place = tmp_path / "tmp"
    place.mkdir()
    with demo_of(tmp_path, TMPDIR=str(place)) as (address, _):
        [folder] = place.iterdir()
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700 and (folder / "accounts.db").exists()
        assert choose(new_client(), address, "acme", "alice").status_code == 200
    assert list(place.iterdir()) == []
    taken = subprocess.run([str(BINARY), "demo"], env={**os.environ, "TMPDIR": str(place / "missing")}, capture_output=True, text=True, timeout=60)
    assert taken.returncode == 1 and "cannot make the folder" in taken.stderr and "TMPDIR" in taken.stderr


@pytest.mark.parametrize("host", sorted({str(found[4][0]) for found in socket.getaddrinfo("localhost", None, type=socket.SOCK_STREAM)}))
def test_websockets_pass_the_demo_to_whichever_address_localhost_means(tmp_path, host):
    """Development servers listen on one of the two, and reload the page over a WebSocket."""
    with upstream_of(Echo(), host) as port, demo_of(tmp_path, f"http://localhost:{port}") as (address, _):
        # The echo answers every request with 101, so the sign-in goes only as far as the session.
        client = new_client()
        page = client.get(address + "/_gateway/login/oidc.acme", headers=NAVIGATION, timeout=60)
        client.get(DevProvider.choose(client, page, "alice"), headers=NAVIGATION, allow_redirects=False, timeout=60)
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in client.cookies)
        with socket.create_connection((urlsplit(address).hostname, urlsplit(address).port), timeout=60) as connection:
            head = f"GET /hmr HTTP/1.1\r\nHost: {urlsplit(address).netloc}\r\nOrigin: {address}\r\nCookie: {cookies}\r\n{HANDSHAKE}\r\n"
            assert handshake(connection, head.encode()).startswith(b"HTTP/1.1 101 ")
            connection.sendall(FRAME)
            assert exactly(connection, len(FRAME)) == FRAME


@pytest.mark.parametrize(
    ("upstream", "reason"),
    [
        ("localhost:3000", "write `http://localhost:3000`"),
        ("3000", "http://host:port"),
        ("ftp://localhost", "http://host:port"),
        ("http://localhost:3000/app", "write only `http://localhost:3000`"),
        ("http://localhost:99999", "not an upstream"),
        ("", "--upstream"),
    ],
)
def test_a_bad_address_of_the_app_is_wrong_usage(upstream, reason):
    run = run_command("demo", "--port", "0", "--upstream", upstream)
    assert run.returncode == 2
    assert reason in run.stderr and run.stdout == "", run.stderr


def test_the_demo_is_not_put_in_front_of_itself():
    port = free_port()
    run = run_command("demo", "--port", str(port), "--upstream", f"http://localhost:{port}")
    assert run.returncode == 2 and "the gateway itself listens on this address" in run.stderr


def test_a_taken_port_of_the_demo_is_named(tmp_path):
    with upstream_of(lambda connection, _: connection.close()) as port:
        run = run_command("demo", "--port", str(port))
        assert run.returncode == 69
        assert f"127.0.0.1:{port}" in run.stderr and "--port 8080" in run.stderr


# --- gateway init ------------------------------------------------------------------------------------------------------

GIVEN = ["--public-url", "http://localhost:4180", "--upstream", "http://127.0.0.1:3000", "--provider", "github.com", "--allow", "alice@example.com"]


def validated(folder: pathlib.Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return run_command("validate", "--strict", "gateway.yaml", folder=folder, environment=environment)


def test_init_with_options_writes_a_file_that_works_once_the_secret_is_set(tmp_path):
    run = run_command("init", *GIVEN, "--client-id", "Iv1.8a61f9b3a7aba766", folder=tmp_path)
    assert run.returncode == 0 and run.stdout == "", run.stderr
    assert "http://localhost:4180/_gateway/callback/github.com" in run.stderr
    assert stat.S_IMODE((tmp_path / "session.key").stat().st_mode) == 0o600
    before = validated(tmp_path)
    assert before.returncode == 1 and "GITHUB_CLIENT_SECRET" in before.stdout
    after = validated(tmp_path, GITHUB_CLIENT_SECRET=os.urandom(20).hex())
    assert after.returncode == 0, after.stdout


def test_init_leaves_placeholders_that_validate_reports(tmp_path):
    run = run_command("init", "--yes", folder=tmp_path)
    assert run.returncode == 0, run.stderr
    report = validated(tmp_path, ACME_CLIENT_SECRET=os.urandom(20).hex())
    assert report.returncode == 1
    places = re.findall(r"error\[placeholder-value\]: (.*)\n +--> gateway\.yaml:(\d+)", report.stdout)
    assert [message for message, _ in places] == ["`issuer` is a placeholder", "`clientID` is a placeholder", "`emails` is a placeholder"]
    assert "3 errors, 0 warnings" in report.stdout
    for message, line in places:
        assert f"line {line}: {message}" in run.stderr


@pytest.mark.parametrize("arguments", [[], ["--provider", "github.com"]], ids=["nothing", "a provider"])
def test_init_without_a_terminal_asks_nothing(tmp_path, arguments):
    reading, writing = os.pipe()  # an input that never ends
    try:
        run = subprocess.run([str(BINARY), "init", *arguments], cwd=tmp_path, stdin=reading, capture_output=True, text=True, timeout=60)
    finally:
        os.close(reading)
        os.close(writing)
    assert run.returncode == 0, run.stderr
    assert "Replace the placeholders in " in run.stderr
    assert {path.name for path in tmp_path.iterdir()} == {"gateway.yaml", "session.key"}


@pytest.mark.parametrize(
    ("option", "value", "reason"),
    [
        ("--public-url", "http://app.example.com", "`publicURL` must be https"),
        ("--upstream", "localhost:3000", "is not an upstream"),
        ("--provider", "google", "did you mean `google.com`?"),
        ("--allow", "staff", "group:staff"),
        ("--issuer", "https://github.com", "has no issuer"),
    ],
)
def test_init_refuses_an_option_that_cannot_work(tmp_path, option, value, reason):
    given = dict(zip(GIVEN[::2], GIVEN[1::2], strict=True)) | {option: value}
    run = run_command("init", *(word for pair in given.items() for word in pair), folder=tmp_path)
    assert run.returncode == 2 and f"{option}: " in run.stderr and reason in run.stderr, run.stderr
    assert list(tmp_path.iterdir()) == []


def test_init_overwrites_only_when_told_to_and_keeps_the_session_key(tmp_path):
    for name in ("gateway.yaml", "session.key"):
        (tmp_path / name).write_text("mine")
        run = run_command("init", "--yes", folder=tmp_path)
        assert run.returncode == 1 and name in run.stderr and "--force" in run.stderr
        assert [path.name for path in tmp_path.iterdir()] == [name] and (tmp_path / name).read_text() == "mine"
        (tmp_path / name).unlink()
    (tmp_path / "gateway.yaml").write_text("mine")
    (tmp_path / "session.key").write_text("my key")
    run = run_command("init", "--yes", "--force", folder=tmp_path)
    assert run.returncode == 0 and "kept session.key" in run.stderr
    assert (tmp_path / "gateway.yaml").read_text().endswith("emails: [you@replace-me.invalid]\n")
    assert (tmp_path / "session.key").read_text() == "my key"


def test_init_that_cannot_write_its_file_leaves_no_key_behind(tmp_path):
    (tmp_path / "gateway.yaml").mkdir()
    run = run_command("init", "--yes", "--force", folder=tmp_path)
    assert run.returncode == 1 and "cannot write gateway.yaml: not a regular file" in run.stderr
    assert not (tmp_path / "session.key").exists()


class Conversation:
    """`gateway init` on a pseudo terminal of 80 columns."""

    def __init__(self, folder: pathlib.Path, *arguments: str) -> None:
        self.master, slave = pty.openpty()
        ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.child = subprocess.Popen(
            [str(BINARY), "init", *arguments], cwd=folder, stdin=slave, stdout=slave, stderr=slave, start_new_session=True, preexec_fn=lambda: ioctl(0, termios.TIOCSCTTY, 0)
        )
        os.close(slave)
        self.text = ""
        self._answered = 0

    def _read(self, timeout: float) -> bool:
        if not is_readable(self.master, timeout):
            return True
        try:
            data = os.read(self.master, 65536)
        except OSError:  # the child has closed its side
            return False
        self.text += data.decode()
        return bool(data)

    def answer(self, prompt: str, answer: str) -> None:
        """Waits until the terminal shows the prompt behind everything else, then types."""
        deadline = time.monotonic() + 60 * SLOWDOWN
        while not self.text[self._answered :].endswith(prompt):
            assert time.monotonic() < deadline and self._read(0.1), f"no {prompt!r} in\n{self.text}"
        self._answered = len(self.text)
        os.write(self.master, answer.encode())

    def end(self) -> int:
        deadline = time.monotonic() + 60 * SLOWDOWN
        while self._read(0.1):
            assert time.monotonic() < deadline, self.text
        os.close(self.master)
        return self.child.wait(60)


def test_init_asks_on_a_terminal_until_the_answers_work(tmp_path):
    terminal = Conversation(tmp_path)
    terminal.answer("Public URL [http://localhost:4180]: ", "app.example.com\n")
    terminal.answer("Public URL [http://localhost:4180]: ", "https://app.example.com\n")
    assert "`publicURL` must be an https origin" in terminal.text
    terminal.answer("Upstream [http://127.0.0.1:8080]: ", "\n")
    terminal.answer("Provider: ", "\n")
    terminal.answer("Provider: ", "google\n")
    terminal.answer("Provider: ", "google.com\n")
    assert "did you mean `google.com`?" in terminal.text
    terminal.answer("Client ID [later]: ", "1234-abcd.apps.googleusercontent.com\n")
    assert "https://app.example.com/_gateway/callback/google.com" in terminal.text
    terminal.answer("Who may enter: ", "group:staff\n")
    terminal.answer("Who may enter: ", "  example.com, bob@example.org \n")
    assert "`google.com` sends no groups" in terminal.text
    assert terminal.end() == 0, terminal.text
    assert max(map(len, terminal.text.splitlines())) <= 80
    text = (tmp_path / "gateway.yaml").read_text()
    assert 'emails: ["*@example.com", bob@example.org]' in text
    report = validated(tmp_path, GOOGLE_CLIENT_SECRET=os.urandom(20).hex())
    assert report.returncode == 0, report.stdout


def test_init_asks_only_for_what_no_option_gives(tmp_path):
    terminal = Conversation(tmp_path, *GIVEN[:4], "--provider", "oidc.acme", "--allow", "everyone")
    terminal.answer("Issuer [later]: ", "https://id.example.com\n")
    terminal.answer("Client ID [later]: ", "\n")
    assert terminal.end() == 0, terminal.text
    assert "Public URL" not in terminal.text and "Who may enter" not in terminal.text
    assert re.search(r"line \d+: `clientID` is a placeholder", terminal.text)


@pytest.mark.parametrize("key", ["\x04", "\x03"], ids=["Ctrl-D", "Ctrl-C"])
def test_init_that_is_stopped_writes_nothing(tmp_path, key):
    terminal = Conversation(tmp_path)
    terminal.answer("Public URL [http://localhost:4180]: ", "\n")
    terminal.answer("Upstream [http://127.0.0.1:8080]: ", key)
    assert terminal.end() in (1, -signal.SIGINT), terminal.text
    assert list(tmp_path.iterdir()) == []


def test_the_file_of_init_serves_the_app_to_those_who_may_enter(tmp_path, dev):
    """init, the secret, run, sign in: nothing else is edited but the admin port, which the test may not share."""
    app = Upstream()
    port, admin = free_port(), free_port()
    given = ["--public-url", f"http://127.0.0.1:{port}", "--upstream", app.origin, "--provider", "oidc.home", "--issuer", dev.issuer]
    run = run_command("init", *given, "--client-id", CLIENT_ID, "--allow", "alice@example.com,group:finance", folder=tmp_path)
    assert run.returncode == 0, run.stderr
    file = tmp_path / "gateway.yaml"
    file.write_text(file.read_text() + f'\nadmin: {{ listen: "127.0.0.1:{admin}" }}\n')
    gateway = Process("gateway-of-init", [str(BINARY), "run"], tmp_path, {"HOME_CLIENT_SECRET": CLIENT_SECRET})
    try:
        gateway.wait_until(lambda: ready(admin), "answer from /readyz")
        origin = f"http://127.0.0.1:{port}"
        for person, status in (("alice", 200), ("zoe", 200), ("bob", 403)):
            client = new_client()
            page = client.get(f"{origin}/{person}", headers=NAVIGATION, timeout=60)
            answer = client.get(dev.sign_in(client, page, person), headers=NAVIGATION, timeout=60)
            assert answer.status_code == status, person
        assert [recording.target for recording in app.containing("GET /")] == ["/alice", "/zoe"]
        assert app.only("/alice").value("X-Forwarded-Email") == "alice@example.com"
    finally:
        gateway.kill()
        app.close()


def ready(admin: int) -> bool:
    try:
        return requests.get(f"http://127.0.0.1:{admin}/readyz", timeout=60).status_code == 200
    except requests.RequestException:
        return False

"""A form that is posted without a session, and sessions that have ended: contract §6, "Lost forms"."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from selenium.webdriver.common.by import By

from conftest import mark
from logins import NAVIGATION, new_client, page_problems, session_cookie, sign_in
from parts.browser import wait_for
from parts.processes import eventually
from test_logout import log_out

FORM = {**NAVIGATION, "Content-Type": "application/x-www-form-urlencoded"}
JSON = {"Accept": "application/json"}
WARNING = "Your entries were not sent."


def test_a_form_post_without_a_session_is_told_that_nothing_was_sent(gateway, dev, upstream):
    """One provider would be gone to straight away; not here."""
    marker = mark()
    client = new_client()
    response = client.post(gateway.url(f"/save/{marker}"), data={"text": "long"}, headers=NAVIGATION, allow_redirects=False)
    assert response.status_code == 303
    query = parse_qs(urlsplit(response.headers["Location"]).query)
    assert query == {"rd": [f"/save/{marker}"], "notice": ["form-not-sent"]}
    page = client.get(gateway.url(response.headers["Location"]), headers=NAVIGATION, allow_redirects=False)
    assert page.status_code == 200 and page_problems(page) == []
    assert WARNING in page.text and "Back button" in page.text
    assert f"/_gateway/login/oidc.dev?rd=%2Fsave%2F{marker}" in page.text
    assert not upstream.saw(marker)
    # Any other sign-in goes to the one provider straight away.
    plain = client.get(gateway.own("/login"), headers=NAVIGATION, allow_redirects=False)
    assert plain.status_code == 302


@pytest.mark.parametrize("language", ["de", "fr", "es", "id", "ja", "vi", "zh-TW"])
def test_every_language_says_so(gateway, language):
    page = new_client().get(gateway.own("/login?notice=form-not-sent"), headers={**NAVIGATION, "Accept-Language": language})
    assert 'role="alert"' in page.text and WARNING not in page.text


def expired(gateway, dev) -> str:
    """The cookie of a session past its limit."""
    client = sign_in(gateway, dev)
    cookie = session_cookie(client)
    eventually(lambda: new_client().get(gateway.url("/x"), headers={**JSON, "Cookie": f"session={cookie}"}).status_code == 401, "the session's end")
    return cookie


def test_a_session_that_expired_is_told_from_one_that_never_was(start_gateway, dev):
    gateway = start_gateway({"providers": [dev.configuration], "onUnauthenticated": "deny", "session": {"idleTimeout": "1s", "absoluteTimeout": "1s"}})
    cookie = expired(gateway, dev)
    for cookies, code, title in (
        (f"session={cookie}", "auth/session-expired", "Your session has ended"),
        ("", "auth/login-required", "Please sign in"),
        ("session=junk", "auth/login-required", "Please sign in"),
        (f"session={cookie[:-4]}AAAA", "auth/login-required", "Please sign in"),
    ):
        headers = {"Cookie": cookies} if cookies else {}
        for address in (gateway.url("/x"), gateway.own("/userinfo")):
            answer = new_client().get(address, headers={**JSON, **headers})
            assert (answer.status_code, answer.json()["error"]["code"]) == (401, code), (cookies, address)
        page = new_client().get(gateway.url("/x"), headers={**NAVIGATION, **headers})
        assert page.status_code == 401 and f"<h1>{title}</h1>" in page.text and code in page.text


def test_a_session_that_was_signed_out_has_expired_for_programs(gateway, dev):
    client = sign_in(gateway, dev)
    cookie = session_cookie(client)
    log_out(gateway, client)
    answer = new_client().get(gateway.url("/x"), headers={**JSON, "Cookie": f"session={cookie}"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (401, "auth/session-expired")
    identifier = answer.json()["error"]["request_id"]

    # Another thread writes the log.
    def records() -> list[dict]:
        return [event for event in gateway.events("sign-in-required") if event["request_id"] == identifier]

    eventually(records, "the record of the refusal")
    assert records()[0]["code"] == "auth/session-expired"


def test_the_back_button_brings_the_form_back(browser, gateway, dev, upstream):
    marker = mark()
    html = f'<form method="post" action="/save/{marker}"><textarea name="text"></textarea><button>Save</button></form>'.encode()
    upstream.scripts[f"/form/{marker}"] = (
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s" % (len(html), html)
    )
    browser.get(gateway.url(f"/form/{marker}"))
    wait_for(browser, lambda current: current.current_url.startswith(dev.issuer), "the provider's page")
    dev.sign_in_with_browser(browser, "alice")
    wait_for(browser, lambda current: current.current_url == gateway.url(f"/form/{marker}"), "the form")
    browser.find_element(By.NAME, "text").send_keys("an hour of work")
    # The session ends meanwhile.
    browser.delete_cookie("session")
    browser.find_element(By.TAG_NAME, "button").click()
    wait_for(browser, lambda current: WARNING in current.page_source, "the notice")
    assert "form-not-sent" in browser.current_url
    browser.back()
    wait_for(browser, lambda current: current.find_elements(By.NAME, "text"), "the form again")
    assert browser.find_element(By.NAME, "text").get_property("value") == "an hour of work"
    assert not upstream.saw(f"POST /save/{marker}")

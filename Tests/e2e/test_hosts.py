"""Routes on several hosts with one sign-in: contract §6, "Several hosts"; docs/routes.md."""

from __future__ import annotations

import json
import socket
from urllib.parse import parse_qs, urlsplit

import pytest
import requests
from selenium.webdriver.common.by import By

from conftest import mark
from logins import NAVIGATION, new_client
from parts.browser import browser_programs, open_browser, wait_for
from parts.gateway import Gateway
from parts.processes import eventually, free_port
from test_browser import body_of, shows_app
from test_logout import log_out

DOMAIN = "app.localhost"
ADMIN, TEAM, STRANGE = f"admin.{DOMAIN}", f"blue.team.{DOMAIN}", f"strange.{DOMAIN}"


@pytest.fixture(autouse=True)
def loopback_names(monkeypatch):
    """Names below `.localhost` are this machine (RFC 6761), whatever the resolver here says."""
    resolve = socket.getaddrinfo

    def loopback(host, *arguments, **named):
        return resolve("127.0.0.1" if str(host).endswith(".localhost") else host, *arguments, **named)

    monkeypatch.setattr(socket, "getaddrinfo", loopback)


@pytest.fixture(scope="module")
def site(start_gateway, dev, upstream) -> Gateway:
    port = free_port()
    gateway = start_gateway(
        {
            "server": {"publicURL": f"http://{DOMAIN}:{port}"},
            "providers": [dev.configuration],
            "session": {"cookie": {"domain": DOMAIN}},
            "routes": [
                {"host": ADMIN, "path": "/open/**", "access": "public"},
                {"host": ADMIN, "access": {"groups": ["admins"]}},
                {"host": f"*.team.{DOMAIN}", "upstream": upstream.origin},
                {"path": "/**"},
            ],
        },
        port=port,
        name="gateway-hosts",
    )
    gateway.origin = f"http://{DOMAIN}:{port}"
    return gateway


def at(gateway: Gateway, host: str, path: str) -> str:
    return f"http://{host}:{gateway.port}{path}"


def login_of(response: requests.Response) -> tuple[str, list[str]]:
    """The address of the sign-in without its query, and `rd`."""
    location = urlsplit(response.headers["Location"])
    return location._replace(query="").geturl(), parse_qs(location.query).get("rd", [])


@pytest.mark.parametrize("host", [ADMIN, TEAM])
def test_a_route_on_another_host_signs_in_at_the_public_url_and_comes_back(site, dev, upstream, host):
    marker = mark()
    client = new_client()
    target = at(site, host, f"/reports/{marker}?q=1")
    response = client.get(target, headers=NAVIGATION, allow_redirects=False)
    assert response.status_code == 302
    assert login_of(response) == (site.own("/login"), [target])
    page = client.get(response.headers["Location"], headers=NAVIGATION)
    callback = client.get(dev.sign_in(client, page, "alice"), headers=NAVIGATION, allow_redirects=False)
    assert (callback.status_code, callback.headers["Location"]) == (303, target)
    assert client.get(target, headers=NAVIGATION).status_code == 200
    assert upstream.only(marker).value("X-Forwarded-Email") == "alice@example.com"
    for other in (DOMAIN, ADMIN, TEAM):
        assert client.get(at(site, other, "/"), headers=NAVIGATION, allow_redirects=False).status_code == 200, "one sign-in for all hosts"
    log_out(site, client)
    assert client.get(target, headers=NAVIGATION, allow_redirects=False).status_code == 302


def test_programs_and_forms_are_sent_to_the_public_url_too(site):
    target = at(site, ADMIN, "/api?x=1")
    answer = new_client().get(target, headers={"Accept": "application/json"})
    assert answer.status_code == 401
    login = urlsplit(answer.json()["error"]["login_url"])
    assert login._replace(query="").geturl() == site.own("/login") and parse_qs(login.query)["rd"] == [target]
    form = new_client().post(target, data={"a": "b"}, headers=NAVIGATION, allow_redirects=False)
    assert form.status_code == 303 and login_of(form) == (site.own("/login"), [target])


def test_a_host_that_no_route_names_comes_back_to_the_public_url(site):
    """`rd` names hosts of routes only; what the catch-all serves is there under the public URL too."""
    response = new_client().get(at(site, STRANGE, "/x?y=1"), headers=NAVIGATION, allow_redirects=False)
    assert response.status_code == 302
    assert login_of(response) == (site.own("/login"), ["/x?y=1"])


@pytest.mark.parametrize(
    "rd",
    [
        f"http://{STRANGE}:PORT/x",
        f"http://{ADMIN}:1/x",
        f"https://{ADMIN}:PORT/x",
        f"http://{ADMIN}.evil.example:PORT/x",
        f"http://evil.example\\@{ADMIN}:PORT/x",
        f"http://team.{DOMAIN}:PORT/x",
        f"http://{ADMIN}:PORT/_gateway/logout",
    ],
)
def test_rd_leads_to_no_other_place(site, dev, rd):
    client = new_client()
    page = client.get(site.own("/login"), params={"rd": rd.replace("PORT", str(site.port))}, headers=NAVIGATION)
    response = client.get(dev.sign_in(client, page, "alice"), headers=NAVIGATION, allow_redirects=False)
    assert (response.status_code, response.headers["Location"]) == (303, "/")


@pytest.mark.parametrize(
    "path, expected",
    [
        ("/login?rd=/x%3Fy%3D1", ("/login", ["http://ADMIN/x?y=1"])),
        ("/login", ("/login", ["http://ADMIN/"])),
        ("/login/oidc.dev?rd=//evil.example", ("/login/oidc.dev", ["http://ADMIN/"])),
        ("/login?rd=http://ADMIN/z", ("/login", ["http://ADMIN/z"])),
        ("/userinfo?a=b", ("/userinfo", [])),
        ("/logout?rd=/bye", ("/logout", ["http://ADMIN/bye"])),
        ("/nothing", ("/nothing", [])),
    ],
)
def test_a_get_under_the_prefix_is_sent_to_the_public_url(site, path, expected):
    admin = f"{ADMIN}:{site.port}"
    response = new_client().get(at(site, ADMIN, "/_gateway" + path.replace("ADMIN", admin)), headers=NAVIGATION, allow_redirects=False)
    assert response.status_code == 302
    assert login_of(response) == (site.own(expected[0]), [rd.replace("ADMIN", admin) for rd in expected[1]])


@pytest.mark.parametrize("query", ["", "?rd=/x", "?rd=%zz"])
def test_a_sign_in_on_a_host_that_no_route_names_is_sent_on_once(site, query):
    """A proxy that rewrites `Host` to such a name made the browser follow redirects without end."""
    first = new_client().get(at(site, STRANGE, f"/_gateway/login{query}"), headers=NAVIGATION, allow_redirects=False)
    assert first.status_code == 302 and first.headers["Location"].startswith(site.own("/login"))
    rewritten = first.headers["Location"].replace(f"//{DOMAIN}", f"//{STRANGE}", 1)
    second = new_client().get(rewritten, headers=NAVIGATION, allow_redirects=False)
    assert second.status_code == 302 and "/authorize?" in second.headers["Location"], "straight to the only provider"
    assert not site.events("parameter-dropped")


def test_a_denial_for_an_old_sign_in_leads_to_the_public_url(start_gateway, dev):
    port = free_port()
    gateway = start_gateway(
        {
            "server": {"publicURL": f"http://{DOMAIN}:{port}"},
            "providers": [dev.configuration, {**dev.configuration, "id": "oidc.second"}],
            "session": {"cookie": {"domain": DOMAIN}},
            "routes": [{"host": ADMIN, "access": {"maxAge": "1s"}}],
        },
        port=port,
    )
    gateway.origin = f"http://{DOMAIN}:{port}"
    client = new_client()
    page = client.get(gateway.own("/login/oidc.dev"), headers=NAVIGATION)
    client.get(dev.sign_in(client, page, "alice"), headers=NAVIGATION, allow_redirects=False)
    target = at(gateway, ADMIN, "/x")

    def answer() -> requests.Response:
        return client.get(target, headers=NAVIGATION, allow_redirects=False)

    eventually(lambda: answer().status_code == 401, "the sign-in is older than a second")
    assert f'href="{gateway.own("/login")}?rd=' in answer().text


def test_several_hosts_in_a_browser(tmp_path, site, dev):
    if browser_programs() is None:
        pytest.skip("no Chromium with chromedriver on this machine: install chromium and chromium-driver")
    browser = open_browser(tmp_path / "browser", hosts=[DOMAIN, f"*.{DOMAIN}"])
    # Without a form: the `form-action` of the provider's page would have to name both hosts.
    dev.control(signIn="alice")
    try:
        admin = at(site, ADMIN, "/dashboard?tab=2")
        browser.get(admin)
        wait_for(browser, lambda current: current.current_url == admin, "the page that was asked for, on its host")
        assert shows_app(browser, "/dashboard?tab=2")
        assert ["X-Forwarded-Email", "alice@example.com"] in [[name, value] for name, value in json.loads(body_of(browser))["headers"]]
        browser.get(site.url("/home"))
        assert shows_app(browser, "/home"), "signed in on the public URL's host as well"
        dev.control(signIn=None)
        browser.get(at(site, ADMIN, "/_gateway/logout?rd=/open/bye"))
        assert browser.current_url.startswith(site.own("/logout"))
        browser.find_element(By.CSS_SELECTOR, "form button").click()
        wait_for(browser, lambda current: current.current_url == at(site, ADMIN, "/open/bye"), "the host that the sign-out began on")
        browser.get(admin)
        wait_for(browser, lambda current: current.current_url.startswith(dev.issuer), "the provider's page")
    finally:
        dev.control(signIn=None)
        browser.quit()

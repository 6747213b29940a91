"""The gateway's own pages: languages, the provider used last, notices, templates (docs/pages.md)."""

from __future__ import annotations

import json
import os

import pytest

from logins import NAVIGATION, new_client, page_problems
from parts.gateway import run_command

TEMPLATES = {
    "signIn": "<!doctype html><html lang=\"{{language}}\">{{> head}}<h1>{{title}}</h1>{{#providers}}<a href=\"{{url}}\">{{label}}</a>{{/providers}}</html>",
    "error": "<!doctype html><html lang=\"{{language}}\">{{> head}}<h1>{{title}}</h1><p>{{code}} {{requestID}}</p></html>",
    "partials": {"head": "<title>{{siteName}}</title>{{> gateway-style}}"},
}


@pytest.fixture(scope="module")
def two(start_gateway, dev):
    return start_gateway({"providers": [dev.configuration, dev.github_configuration]}, name="gateway-two-providers")


def get(gateway, path: str, **headers: str):
    return new_client().get(gateway.url(path), headers={**NAVIGATION, **headers}, timeout=60)


@pytest.mark.parametrize(
    ("accept", "language", "words"),
    [
        ("de-DE,de;q=0.9", "de", "Mit "),
        ("es", "es", "Iniciar sesión con"),
        ("fr-CA", "fr", "Se connecter avec"),
        ("id", "id", "Masuk dengan"),
        ("vi", "vi", "Đăng nhập bằng"),
        ("zh-TW", "zh-Hant", "登入"),
        ("ja", "ja", "でサインイン"),
        ("pt-BR", "en", "Sign in with"),
    ],
)
def test_the_sign_in_page_speaks_the_browsers_language(two, accept, language, words):
    """issue "Sign-in page": chosen by Accept-Language."""
    page = get(two, "/_gateway/login?rd=%2Fx", **{"Accept-Language": accept})
    assert page.status_code == 200 and page.headers["Content-Language"] == language
    assert f'<html lang="{language}">' in page.text and words in page.text
    assert "rd=%2Fx" in page.text and page_problems(page) == []


def test_ui_locales_goes_before_the_browsers_language(two):
    assert get(two, "/_gateway/login?ui_locales=fr%20de", **{"Accept-Language": "ja"}).headers["Content-Language"] == "fr"


def test_errors_are_told_in_the_browsers_language_and_json_stays_english(two):
    page = get(two, "/_gateway/login/oidc.nobody", **{"Accept-Language": "de"})
    assert page.status_code == 404 and "Unbekannter Anbieter" in page.text
    json = new_client().get(two.url("/_gateway/userinfo"), headers={"Accept-Language": "de"}, timeout=60).json()
    assert json["error"]["message"] == "You need to sign in to open this page."


def test_the_provider_used_last_comes_first_and_its_cookie_stays_here(two, dev):
    """issue "Sign-in page": last-used provider first. The cookie names a provider, nobody else, and never reaches the app."""
    client = new_client()
    start = client.get(two.own("/login/github.com"), headers=NAVIGATION, timeout=60)
    callback = dev.choose(client, start, "alice")
    client.get(callback, headers=NAVIGATION, timeout=60)
    cookie = client.cookies.get("session-provider")
    assert cookie == "github.com"
    seen = client.get(two.url("/last-used"), headers=NAVIGATION, timeout=60)
    assert seen.status_code == 200 and "session-provider" not in seen.text
    page = client.get(two.own("/login"), headers=NAVIGATION, timeout=60).text
    assert page.index("/login/github.com") < page.index("/login/oidc.") and "Last used" in page
    hostile = get(two, "/_gateway/login", Cookie="session-provider=\"><script>")
    assert "<script" not in hostile.text and "Last used" not in hostile.text


@pytest.mark.parametrize(("notice", "words"), [("login-expired", "took too long"), ("provider-unavailable", "cannot be reached"), ("%3Cb%3E", None)])
def test_a_notice_is_one_of_our_own_sentences(two, notice, words):
    page = get(two, f"/_gateway/login?notice={notice}").text
    assert ('role="alert"' in page) == (words is not None)
    assert words is None or words in page
    assert "<b>" not in page


def test_templates_replace_pages_and_keep_the_policy(start_gateway, dev):
    """issue "Sign-in page": templates overridable by files, auto-escaping."""
    gateway = start_gateway(
        {"providers": [dev.configuration, {**dev.github_configuration, "displayName": "G & <i>"}], "pages": {"siteName": "Acme & Co", "templates": TEMPLATES}},
        name="gateway-templates",
    )
    page = get(gateway, "/_gateway/login", **{"Accept-Language": "de"})
    assert "<title>Acme &amp; Co</title>" in page.text and "<h1>Anmelden</h1>" in page.text
    assert "G &amp; &lt;i&gt;" in page.text
    policy = page.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy and "'sha256-" in policy and "script" not in policy
    error = get(gateway, "/_gateway/nothing")
    assert error.status_code == 404 and "<p>proxy/not-found " in error.text
    built_in = get(gateway, "/_gateway/logout")
    assert "You are not signed in" in built_in.text and "Acme &amp; Co" in built_in.text and page_problems(built_in) == []


LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8" onload="alert(1)"/></svg>'


def test_the_operators_look_is_on_every_page(start_gateway, dev, folder):
    """issue "The first hour", looks: `pages.logo`, `pages.accentColor`, `pages.links`."""
    (folder / "logo.svg").write_text(LOGO)
    look = {"logo": "./logo.svg", "accentColor": "#5b3cc4", "links": {"support": "mailto:help@example.com", "privacy": "/privacy"}}
    gateway = start_gateway({"providers": [dev.configuration, dev.github_configuration], "pages": look}, name="gateway-look")
    for path in ("/_gateway/login", "/_gateway/logged-out", "/_gateway/logout", "/_gateway/nothing"):
        page = get(gateway, path)
        assert page_problems(page) == []
        assert 'class="logo" src="data:image/svg+xml;base64,' in page.text
        assert '<a href="mailto:help@example.com">Help</a><a href="/privacy">Privacy</a>' in page.text
        assert "--fill:#5b3cc4;" in page.text
        policy = page.headers["Content-Security-Policy"]
        assert "img-src data:;" in policy and policy.count("'sha256-") == 2 and "script" not in policy


def test_a_logo_from_elsewhere_is_the_only_image_of_that_origin(start_gateway, dev):
    gateway = start_gateway(
        {"providers": [dev.configuration, dev.github_configuration], "pages": {"logo": "https://cdn.example.com/a/logo.png"}}, name="gateway-logo-url"
    )
    policy = get(gateway, "/_gateway/login").headers["Content-Security-Policy"]
    assert "img-src https://cdn.example.com data:;" in policy


def test_a_new_logo_is_taken_into_use_by_a_reload(start_gateway, dev, folder):
    file = folder / "changing.svg"
    file.write_text(LOGO)
    gateway = start_gateway({"providers": [dev.configuration, dev.github_configuration], "pages": {"logo": str(file)}}, name="gateway-new-logo")
    before = get(gateway, "/_gateway/login").text
    file.write_text(LOGO.replace("8 8", "9 9"))
    gateway.reload()
    assert 'class="logo"' in before and get(gateway, "/_gateway/login").text != before
    file.write_text("no image")
    gateway.reload(expect="reload-failed")
    assert 'class="logo"' in get(gateway, "/_gateway/login").text


def test_a_pipe_is_no_logo(tmp_path):
    """It can be read only once, so the start waited for ever."""
    os.mkfifo(tmp_path / "logo.svg")
    configuration = {"version": 1, "server": {"publicURL": "https://app.example.com"}, "pages": {"logo": "logo.svg"}}
    (tmp_path / "gateway.yaml").write_text(json.dumps(configuration))
    run = run_command("validate", str(tmp_path / "gateway.yaml"), timeout=60)
    assert run.returncode == 1 and "invalid-page-logo" in run.stdout


@pytest.mark.parametrize(
    ("pages", "rule"),
    [
        ({"logo": "missing.svg"}, "invalid-page-logo"),
        ({"logo": "http://cdn.example.com/logo.svg"}, "invalid-value"),
        ({"accentColor": "teal"}, "invalid-value"),
        ({"links": {"support": "javascript:alert(1)"}}, "invalid-value"),
    ],
)
def test_a_look_that_cannot_be_shown_is_refused(tmp_path, pages, rule):
    file = tmp_path / "gateway.yaml"
    file.write_text(json.dumps({"version": 1, "upstream": "http://127.0.0.1:1", "routes": [{"path": "/**", "access": "public"}], "pages": pages}))
    result = run_command("run", str(file))
    assert result.returncode == 78 and f"error[{rule}]" in result.stderr


def test_a_dangerous_template_is_not_served(tmp_path):
    file = tmp_path / "gateway.yaml"
    file.write_text('version: 1\nupstream: http://127.0.0.1:1\nroutes: [{path: /**, access: public}]\npages:\n  templates:\n    error: ${file:./error.mustache}\n')
    (tmp_path / "error.mustache").write_text("<h1>{{{title}}}</h1>\n")
    result = run_command("run", str(file))
    assert result.returncode == 78 and "invalid-page-template" in result.stderr and ":6:12" in result.stderr

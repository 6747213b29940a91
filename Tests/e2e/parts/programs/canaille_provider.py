"""Runs Canaille, a real OpenID provider, with the people and the client of these tests. Started by canaille.py:

    python canaille_provider.py PORT CLIENT_ID CLIENT_SECRET REDIRECT_URI POST_LOGOUT_REDIRECT_URI MINTED

Everything lives in memory and is gone with the process. The client's home page is on loopback, which Canaille
trusts by default, so no consent page appears. Codes and tokens are written to the file MINTED, one per line: the
log test looks for them.
"""

import datetime
import os
import sys
from urllib.parse import parse_qs, urlsplit

from canaille import create_app
from canaille.app import models
from canaille.backends import Backend
from flask import request
from werkzeug.serving import WSGIRequestHandler, make_server

PEOPLE = [
    ("alice", "Alice Liddell", "Liddell", "alice@example.com", ["readers", "admins"]),
    ("bob", "Bob Dobbs", "Dobbs", "bob@example.com", ["readers"]),
]


class QuietHandler(WSGIRequestHandler):
    protocol_version = "HTTP/1.1"

    def log(self, type, message, *args):
        pass


def populate(client_id: str, client_secret: str, redirect_uri: str, post_logout_redirect_uri: str) -> None:
    groups: dict[str, list] = {}
    for user_name, formatted_name, family_name, address, memberships in PEOPLE:
        user = models.User(
            user_name=user_name,
            formatted_name=formatted_name,
            display_name=user_name,
            family_name=family_name,
            emails=[address],
            password=f"correct horse {user_name}",
        )
        Backend.instance.save(user)
        for group in memberships:
            groups.setdefault(group, []).append(user)
    for display_name, members in groups.items():
        Backend.instance.save(models.Group(display_name=display_name, members=members))

    client = models.Client(
        client_id=client_id,
        client_secret=client_secret,
        client_name="Gateway",
        client_uri="http://127.0.0.1/",
        client_id_issued_at=datetime.datetime.now(datetime.timezone.utc),
        redirect_uris=[redirect_uri],
        post_logout_redirect_uris=[post_logout_redirect_uri],
        grant_types=["authorization_code", "refresh_token"],
        response_types=["code"],
        scope=["openid", "profile", "email", "groups"],
        token_endpoint_auth_method="client_secret_basic",
        id_token_signed_response_alg="RS256",
    )
    Backend.instance.save(client)
    client.audience = [client]  # an audience is a saved client, so the client itself comes first
    Backend.instance.save(client)


def keep_what_is_minted(app, path: str) -> None:
    @app.after_request
    def keep(response):
        found = []
        if request.path == "/oauth/authorize" and response.location:
            found = parse_qs(urlsplit(response.location).query).get("code", [])
        elif request.path == "/oauth/token" and response.is_json:
            answer = response.get_json()
            found = [answer[name] for name in ("access_token", "refresh_token", "id_token") if answer.get(name)]
        if found:
            with open(path, "a", encoding="utf-8") as file:
                file.write("\n".join(found) + "\n")
        return response


def main() -> None:
    port, client_id, client_secret, redirect_uri, post_logout_redirect_uri, minted = sys.argv[1:]
    app = create_app(
        {
            "SECRET_KEY": os.urandom(32).hex(),
            "SERVER_NAME": f"127.0.0.1:{port}",
            "PREFERRED_URL_SCHEME": "http",
            "SESSION_COOKIE_NAME": "canaille_session",
            "CANAILLE": {
                "DATABASE": "memory",
                "JAVASCRIPT": False,
                "HTMX": False,
                "CAPTCHA_ENABLED": False,
                "LOGGING": {"version": 1, "disable_existing_loggers": True},
            },
            "CANAILLE_OIDC": {},
        }
    )
    keep_what_is_minted(app, minted)
    with app.app_context():
        populate(client_id, client_secret, redirect_uri, post_logout_redirect_uri)
    make_server("127.0.0.1", int(port), app, threaded=True, request_handler=QuietHandler).serve_forever()


if __name__ == "__main__":
    main()

"""Canaille, a real OpenID provider, with the people and the client of these tests.

    python canaille_provider.py PORT REDIRECT_URI POST_LOGOUT_REDIRECT_URI

Everything lives in memory and is gone with the process. The client's home page is on loopback, which Canaille
trusts by default, so no consent page appears.
"""

import datetime
import os
import sys

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"  # plain http, on loopback only

from canaille import create_app  # noqa: E402
from canaille.app import models  # noqa: E402
from canaille.backends import Backend  # noqa: E402
from werkzeug.serving import WSGIRequestHandler, make_server  # noqa: E402

CLIENT_ID = "gateway-tests"
CLIENT_SECRET = "canaille-s3cret:with/odd+characters%and spaces"

PEOPLE = [
    ("alice", "Alice Liddell", "Liddell", "alice@example.com", ["readers", "admins"]),
    ("bob", "Bob Dobbs", "Dobbs", "bob@example.com", ["readers"]),
]


def password_of(name: str) -> str:
    return f"correct horse {name}"


class QuietHandler(WSGIRequestHandler):
    protocol_version = "HTTP/1.1"

    def log(self, type, message, *args):
        pass


def populate(redirect_uri: str, post_logout_redirect_uri: str) -> None:
    groups: dict[str, list] = {}
    for user_name, formatted_name, family_name, address, memberships in PEOPLE:
        user = models.User(
            user_name=user_name,
            formatted_name=formatted_name,
            display_name=user_name,
            family_name=family_name,
            emails=[address],
            password=password_of(user_name),
        )
        Backend.instance.save(user)
        for group in memberships:
            groups.setdefault(group, []).append(user)
    for display_name, members in groups.items():
        Backend.instance.save(models.Group(display_name=display_name, members=members))

    client = models.Client(
        client_id=CLIENT_ID,
        client_secret=CLIENT_SECRET,
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


def main() -> None:
    port = int(sys.argv[1])
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
    with app.app_context():
        populate(sys.argv[2], sys.argv[3])
    server = make_server("127.0.0.1", port, app, threaded=True, request_handler=QuietHandler)
    print("ready", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()

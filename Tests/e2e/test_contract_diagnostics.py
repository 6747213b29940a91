"""Contract §2, §5 and §6 sentence by sentence: each mistake alone in an otherwise good file, its rule, severity and place.

`«…»` marks where a finding stands, `‹…›` its related place; a row without marks is a file that must be silent. All files go
through one `gateway validate --format json`, which is also how several files make one report.
"""

from __future__ import annotations

import json
import os
import pathlib

import pytest

from parts.gateway import run_command, session_key

ENVIRONMENT = {"S": "a-very-long-secret-928374", "KEY": session_key(), "SHORT_KEY": "c2hvcnQ=", "SEVEN": "abcdefg", "EMPTY": "", "MINUTES": "15m", "LIST": "[a, b]"}

VERSION = "version: 1\n"
SERVER = "server: { publicURL: https://app.example.com }\n"
UPSTREAM = "upstream: http://127.0.0.1:8080\n"
SESSION = 'session: { keys: ["${env:KEY}"] }\n'
ACME = "  - id: oidc.acme\n    issuer: https://auth.example.com\n    clientID: acme-web\n    clientSecret: ${env:S}\n"
GITHUB = "  - id: github.com\n    clientID: Iv1.8a61f9b3a7aba766\n    clientSecret: ${env:S}\n"
GOOGLE = "  - id: google.com\n    clientID: 123-a.apps.googleusercontent.com\n    clientSecret: ${env:S}\n"
YAHOO = "  - id: yahoo.com\n    clientID: dj0yJmk9abcdef\n    clientSecret: ${env:S}\n"
ROUTES = 'routes: [{ path: /**, access: { emails: ["*@example.com"] } }]\n'


def file(version=VERSION, server=SERVER, upstream=UPSTREAM, session=SESSION, providers=ACME, extra="", routes=ROUTES) -> str:
    listed = providers if providers.startswith(("providers", "«providers")) or not providers else "providers:\n" + providers
    return version + server + upstream + session + listed + extra + routes


def server(key: str) -> str:
    return file(server=f"server: {{ publicURL: https://app.example.com, {key} }}\n")


def acme(lines: str) -> str:
    return file(providers=ACME + lines)


def issuer(value: str) -> str:
    return file(providers=ACME.replace("https://auth.example.com", value))


def secret(value: str) -> str:
    return file(providers=ACME.replace("${env:S}", value))


def session(keys: str) -> str:
    return file(session=f'session: {{ keys: ["${{env:KEY}}"], {keys} }}\n')


def emails(pattern: str) -> str:
    return file(routes=f"routes: [{{ path: /**, access: {{ emails: [{pattern}] }} }}]\n")


# (what, the file, the findings in order as rule:severity)
CASES: list[tuple[str, str, list[str]]] = [
    ("a good file", file(), []),
    # §2, top level.
    ("no version", "«server»: { publicURL: https://app.example.com }\n" + UPSTREAM + SESSION + "providers:\n" + ACME + ROUTES, ["missing-key:error"]),
    ("version 2", file(version="version: «2»\n"), ["unsupported-version:error"]),
    ("version 1.5", file(version="version: «1.5»\n"), ["unsupported-version:error"]),
    ("version in quotes", file(version='version: "1"\n'), []),
    ("a list as version", file(version="version: «[»1]\n"), ["wrong-type:error"]),
    ("an unknown key", file(extra="«upstreams»: []\n"), ["unknown-key:error"]),
    ("x- at the top", file(extra="x-anything: { a: [1] }\n"), []),
    ("x- elsewhere", server("«x-foo»: 1"), ["unknown-key:error"]),
    ("a key that holds a reference", file(extra='«"${env:S}"»: 1\n'), ["unknown-key:error"]),
    # §2, server.
    ("no port to listen on", server("listen: «127.0.0.1»"), ["invalid-value:error"]),
    ("a port beyond 65535", server("listen: «127.0.0.1:70000»"), ["invalid-value:error"]),
    ("an http publicURL", file(server="server: { publicURL: «http://app.example.com» }\n"), ["public-url:error"]),
    ("a publicURL with a path", file(server="server: { publicURL: «https://app.example.com/x» }\n"), ["public-url:error"]),
    ("a publicURL with a user", file(server="server: { publicURL: «https://u@app.example.com» }\n"), ["public-url:error"]),
    ("http on loopback", file(server="server: { publicURL: http://localhost:4180 }\n"), []),
    ("http on IPv6 loopback", file(server='server: { publicURL: "http://[::1]:4180" }\n'), []),
    ("no publicURL", file(server='server: { «listen»: "127.0.0.1:4180" }\n'), ["missing-key:error"]),
    ("an empty publicURL", file(server='server: { «publicURL»: "" }\n'), ["missing-key:error"]),
    ("a prefix without slash", server("pathPrefix: «_gateway»"), ["invalid-value:error"]),
    ("everyone trusted", server("trustedProxies: [«0.0.0.0/0»]"), ["untrusted-everyone:error"]),
    ("everyone of IPv6 trusted", server('trustedProxies: ["10.0.0.0/8", «"::/0"»]'), ["untrusted-everyone:error"]),
    ("everyone trusted in halves", server("trustedProxies: [0.0.0.0/1, «128.0.0.0/1»]"), ["untrusted-everyone:error"]),
    ("halves the other way round", server("trustedProxies: [128.0.0.0/1, 10.0.0.0/8, «0.0.0.0/1»]"), ["untrusted-everyone:error"]),
    ("a range that is none", server("trustedProxies: [«10.0.0.0/33»]"), ["invalid-value:error"]),
    ("a size in KB", server("limits: { headerBytes: «32KB» }"), ["invalid-value:error"]),
    ("limits of null", server("limits: { bodyBytes: null, connections: null }"), []),
    ("a duration with a fraction", server("timeouts: { header: «1.5s» }"), ["invalid-value:error"]),
    ("a compound duration", server("timeouts: { idle: 1m30s }"), []),
    ("a duration without unit", server("timeouts: { idle: «30» }"), ["invalid-value:error"]),
    ("0123 as a number", server("limits: { headerCount: «0123» }"), ["invalid-value:error"]),
    ("a number in quotes", server('limits: { headerCount: "50" }'), []),
    # §2, upstream.
    ("an ftp upstream", file(upstream="upstream: «ftp://127.0.0.1:21»\n"), ["invalid-value:error"]),
    ("an upstream without scheme", file(upstream="upstream: «127.0.0.1:8080»\n"), ["invalid-value:error"]),
    ("a unix upstream", file(upstream="upstream: unix:/run/app.sock\n"), []),
    # §2, §6 "Which rule": providers.
    ("a number as client ID", file(providers=ACME.replace("acme-web", "12345")), []),
    ("an empty client ID", file(providers=ACME.replace("- id", "- «id»").replace("acme-web", '""')), ["missing-key:error"]),
    ("no client secret", file(providers=ACME.replace("    clientSecret: ${env:S}\n", "").replace("- id", "- «id»")), ["missing-client-secret:error"]),
    ("an empty client secret", file(providers=ACME.replace("${env:S}", "").replace("- id", "- «id»")), ["missing-client-secret:error"]),
    ("a secret that nobody reads", file(providers=ACME.replace("clientSecret", "«clientSecret»") + "    clientAuthentication: none\n"), ["unused-client-secret:warning"]),
    ("private_key_jwt without a key", file(providers=ACME.replace("    clientSecret: ${env:S}\n", "").replace("- id", "- «id»") + "    clientAuthentication: private_key_jwt\n"), ["missing-key:error"]),
    ("no issuer", file(providers=ACME.replace("    issuer: https://auth.example.com\n", "").replace("- id", "- «id»")), ["missing-key:error"]),
    ("an http issuer", issuer("«http://auth.example.com»"), ["insecure-url:error"]),
    ("an http issuer on loopback", issuer("http://127.0.0.1:8081"), []),
    ("an issuer with a slash at its end", issuer("https://auth.example.com/"), []),
    ("an issuer with a query", issuer("«https://auth.example.com?x=1»"), ["invalid-issuer:error"]),
    ("an issuer with a fragment", issuer("«https://auth.example.com#x»"), ["invalid-issuer:error"]),
    ("an issuer with a password", issuer("«https://u:p@auth.example.com»"), ["invalid-issuer:error"]),
    ("a discovery URL as issuer", issuer("«https://auth.example.com/.well-known/openid-configuration»"), ["invalid-issuer:error"]),
    ("a slug with a capital", file(providers=ACME.replace("oidc.acme", "«oidc.Acme»")), ["invalid-provider-id:error"]),
    ("a slug with an underscore", file(providers=ACME.replace("oidc.acme", "«oidc.ac_me»")), ["invalid-provider-id:error"]),
    ("a slug of 64", file(providers=ACME.replace("oidc.acme", "«oidc." + "a" * 64 + "»")), ["invalid-provider-id:error"]),
    ("a slug of 63", file(providers=ACME.replace("oidc.acme", "oidc." + "a" * 63)), []),
    ("GitHub.com", acme(GITHUB.replace("github.com", "«GitHub.com»")), ["unknown-provider:error"]),
    ("a preset twice with slugs", acme(GITHUB.replace("github.com", "github.com/partners")), []),
    ("a provider twice", file(providers=ACME.replace("oidc.acme", "‹oidc.acme›") + ACME.replace("oidc.acme", "«oidc.acme»")), ["duplicate-provider:error"]),
    ("another flow", acme("    flow: «implicit»\n"), ["implicit-flow:error"]),
    ("the code flow", acme("    flow: code\n"), []),
    ("an algorithm in small letters", acme("    idTokenAlgorithms: [«rs256»]\n"), ["invalid-value:error"]),
    ("an http endpoint", acme("    endpoints: { token: «http://x.example/t» }\n"), ["insecure-url:error"]),
    ("yes for a boolean", acme("    userinfo: «yes»\n"), ["yaml-1.1-boolean:error"]),
    ("On for a boolean", acme("    enabled: «On»\n"), ["yaml-1.1-boolean:error"]),
    ("yes for a text", acme("    displayName: yes\n"), []),
    ("1 for a boolean", acme("    userinfo: «1»\n"), ["invalid-value:error"]),
    # §2 "Reserved parameters", §6 "Meanings".
    *[
        (f"the reserved {name}", acme(f"    customParameters:\n      «{name}»: x\n"), ["reserved-parameter:error"])
        for name in (
            "client_id redirect_uri response_type scope state response_mode nonce code_challenge code_challenge_method request request_uri client_secret "
            "client_assertion client_assertion_type code code_verifier grant_type id_token_hint registration Redirect_URI"
        ).split()
    ],
    ("reserved by the file", file(providers=ACME + "    customParameters:\n      «resource»: x\n", extra="reservedParameters: [resource]\n"), ["reserved-parameter:error"]),
    ("reserved by the provider", acme("    customParameters:\n      «Audience»: x\n    reservedParameters: [audience]\n"), ["reserved-parameter:error"]),
    ("reserved for requests too", acme("    requestParameters: [login_hint, «state»]\n"), ["reserved-parameter:error"]),
    *[
        (f"the translated {name}", acme(f"    customParameters:\n      «{name}»: x\n"), ["translated-parameter:error"])
        for name in ("redirigir_uri", "tipo_respuesta", "alcance", "estado")
    ],
    ("a parameter twice but for case", acme("    customParameters:\n      ‹prompt›: login\n      «Prompt»: login\n"), ["duplicate-parameter:error"]),
    ("a parameter twice in a list", acme("    requestParameters: [‹login_hint›, «Login_Hint»]\n"), ["duplicate-parameter:error"]),
    ("one parameter in two places", acme("    customParameters: { login_hint: a@b.example }\n    requestParameters: [login_hint]\n"), []),
    *[
        (f"the parameter {value}", acme(f"    customParameters:\n      max_age: «{value}»\n"), ["non-string-parameter:error"])
        for value in ("true", "False", "null", "~", "12", "-1", "1.5", "1e3", "0x1F", "0o7", ".inf")
    ],
    ("a number in quotes as parameter", acme('    customParameters:\n      max_age: "12"\n'), []),
    ("yes as a parameter", acme("    customParameters:\n      acr_values: yes\n"), []),
    ("a parameter nobody documents", file(providers=GITHUB + '    customParameters: { «allow_signups»: "false" }\n'), ["unknown-parameter:warning"]),
    ("a value nobody documents", file(providers=GITHUB + '    customParameters: { allow_signup: «"maybe"» }\n'), ["parameter-value:warning"]),
    # Scopes.
    ("a scope twice", acme("    scopes: [‹mail.read›, «mail.read»]\n"), ["duplicate-scope:warning"]),
    ("a scope nobody documents", file(providers=GITHUB + "    scopes: [«user:emails»]\n"), ["unknown-scope:warning"]),
    ("scopes as granted", file(providers=YAHOO + "    scopes: [mail-r, sdct-w]\n    preconfiguredScopes: [openid, profile, email, mail-r, sdct-w]\n"), []),
    ("the near miss, once", file(providers=YAHOO + "    scopes: [mail-r, «sdct-r»]\n    preconfiguredScopes: [openid, profile, email, mail-r, sdct-w]\n"), ["scope-mismatch:error"]),
    ("a scope granted and not asked for", file(providers=YAHOO + "    scopes: [mail-r]\n    preconfiguredScopes: [openid, profile, email, mail-r, «sdct-w»]\n"), ["scope-mismatch:error"]),
    ("a scope asked for and not granted", file(providers=YAHOO + "    scopes: [mail-r, «sdct-w»]\n    preconfiguredScopes: [openid, profile, email, mail-r]\n"), ["scope-mismatch:error"]),
    ("a base scope not granted", file(providers=YAHOO + "    scopes: [mail-r]\n    preconfiguredScopes: «[»openid, profile, mail-r]\n"), ["missing-base-scope:error"]),
    # §6 "Meanings": who may pass.
    ("anyone, no routes", file(providers=GITHUB.replace("github.com", "«github.com»"), routes=""), ["no-access-rule:warning"]),
    ("anyone, one path narrowed", file(providers=GOOGLE.replace("google.com\n", "«google.com»\n", 1), routes='routes: [{ path: /a/**, access: { users: [a2345abcdefghijklmnopqrst7] } }]\n'), ["no-access-rule:warning"]),
    ("anyone, every path narrowed", file(providers=GITHUB, routes='routes: [{ path: /a, access: public }, { path: /**, access: { users: [a2345abcdefghijklmnopqrst7] } }]\n'), []),
    ("one Google domain", file(providers=GOOGLE + "    customParameters: { hd: example.com }\n", routes=""), []),
    ("a provider switched off", acme(GOOGLE + "    enabled: false\n"), []),
    ("a company's provider", file(routes=""), []),
    ("a domain without @", emails('«"*example.com"»'), ["unanchored-domain:error"]),
    ("a domain without dot", emails('«"*@example"»'), ["dotless-domain:warning"]),
    # §6 "Meanings": sessions and secrets.
    ("a key as text", file(session='session: { keys: «"${env:KEY}"» }\n'), ["wrong-type:error"]),
    ("no key", file(session="session: { «idleTimeout»: 1h }\n"), ["missing-session-key:warning"]),
    ("a key that is not base64", file(session='session: { keys: [«"not base64!"»] }\n'), ["invalid-value:error"]),
    ("a short key", file(session='session: { keys: ["«${env:SHORT_KEY}»"] }\n'), ["weak-secret:error"]),
    ("a constant key", file(session="session: { keys: [«" + "A" * 44 + "»] }\n"), ["weak-secret:error"]),
    ("a key anyone can write", file(session='session: { keys: ["«${file:./writable.key}»"] }\n'), ["secret-file-permissions:error"]),
    ("a key anyone can read", file(session='session: { keys: ["«${file:./readable.key}»"] }\n'), ["secret-file-permissions:warning"]),
    ("a secret of 7 characters", secret("«${env:SEVEN}»"), ["weak-secret:error"]),
    ("a secret in the file", secret("«lksjdf93487fksdjf»"), ["literal-secret:warning"]),
    ("a placeholder", secret("«changeme»"), ["placeholder-value:error"]),
    ("idle beyond absolute", session("idleTimeout: «25h», absoluteTimeout: 24h"), ["invalid-value:error"]),
    ("idle beyond the default", session("idleTimeout: «25h»"), ["invalid-value:error"]),
    ("31 days", session("absoluteTimeout: «31d»"), ["session-timeout:warning"]),
    ("30 days", session("absoluteTimeout: 30d"), []),
    *[
        (f"the cookie domain {domain}", session(f"cookie: {{ domain: «{domain}» }}"), ["cookie-domain:error"])
        for domain in ("https://example.com", "com", "other.com", "b.app.example.com")
    ],
    ("a parent as cookie domain", session("cookie: { domain: example.com }"), []),
    # References.
    ("an unset variable", secret("«${env:NOT_SET_ANYWHERE}»"), ["unresolved-reference:error"]),
    ("an unset variable with a default", file(providers=ACME.replace("acme-web", "${env:NOT_SET_ANYWHERE:-acme}")), []),
    ("a reference within a text", issuer("https://«${env:NOT_SET_ANYWHERE}»/x"), ["unresolved-reference:error"]),
    ("an unknown reference", file(providers=ACME.replace("acme-web", "«${nope:X}»")), ["unresolved-reference:error"]),
    ("a file that is not there", secret("«${file:nope}»"), ["unresolved-reference:error"]),
    ("a value that would be a list", acme('    scopes: «"${env:LIST}"»\n'), ["wrong-type:error"]),
    ("a duration from a variable", session('idleTimeout: "${env:MINUTES}"'), []),
    ("a literal brace", file(providers=ACME.replace("acme-web", "a$${x}")), []),
    # Identity.
    ("a header name that is none", file(extra='identity: { headers: { «"X Bad"»: "{{ email }}" } }\n'), ["invalid-header-name:error"]),
    ("headers that fold to one", file(extra='identity: { headers: { ‹X-User›: "{{ email }}", «X_User»: "{{ uid }}" } }\n'), ["header-collision:error"]),
    ("a header of the gateway's own", file(extra='identity: { headers: { «X-Forwarded-For»: "{{ email }}" } }\n'), ["header-collision:error"]),
    ("a template name that is none", file(extra='identity: { headers: { X-User: «"{{ emial }}"» } }\n'), ["invalid-template:error"]),
    ("a template that does not end", file(extra='identity: { headers: { X-User: «"{{ email"» } }\n'), ["invalid-template:error"]),
    ("two profiles", file(extra="identity: { headers: [forwarded, webauth] }\n"), []),
    # Routes.
    ("a route without host, path and methods", file(routes="routes: [{ «access»: authenticated }]\n"), ["missing-key:error"]),
    ("a path without slash", file(routes="routes: [{ path: «admin/**» }]\n"), ["invalid-value:error"]),
    ("half a segment", file(routes="routes: [{ path: «/a*» }]\n"), ["invalid-value:error"]),
    ("a route behind a wider one", file(routes="routes:\n  - ‹path›: /a/**\n  - «path»: /a/b\n"), ["unreachable-route:warning"]),
    ("a route behind all", file(routes="routes:\n  - ‹path›: /**\n  - «host»: x.example.com\n"), ["unreachable-route:warning"]),
    ("a route for other methods", file(routes="routes:\n  - path: /a\n    methods: [GET]\n  - path: /a\n"), []),
    ("everything public", file(routes="routes:\n  - path: /**\n    access: «public»\n"), ["public-everything:warning"]),
    ("the gateway's own pages", file(routes="routes:\n  - path: «/_gateway/**»\n"), ["route-shadows-gateway:error"]),
    ("one of its own pages", file(routes="routes:\n  - path: «/_gateway/login»\n"), ["route-shadows-gateway:error"]),
    ("a word for access that is none", file(routes="routes: [{ path: /a, access: «publik» }]\n"), ["invalid-value:error"]),
    ("a word for onUnauthenticated that is none", file(extra="onUnauthenticated: «redir»\n"), ["invalid-value:error"]),
    ("warn for warning", file(extra="logging: { level: «warn» }\n"), ["invalid-value:error"]),
    # YAML.
    ("a key twice", file(extra="‹logging›: { level: info }\n«logging»: { level: debug }\n"), ["duplicate-key:error"]),
    ("a key twice, once in quotes", file(extra='‹logging›: { level: info }\n«"logging"»: { level: debug }\n'), ["duplicate-key:error"]),
    ("a merge key", file(extra="x-a: &a { level: info }\nlogging: { «<<»: *a }\n"), ["yaml-merge-key:error"]),
    ("a tag", file(extra="logging: { level: «!!str» info }\n"), ["yaml-tag:error"]),
    ("what comes in by an alias", file(extra="x-a: ‹&a› loud\nlogging: { level: «*a» }\n"), ["invalid-value:error"]),
    ("an alias to itself", file(extra="x-a: &a [«*a»]\n"), ["yaml-syntax:error"]),
    ("a block scalar", file(extra="logging:\n  level: «|»\n    loud\n"), ["invalid-value:error"]),
    ("wide characters in front", file(extra="x-日本語🎉: 1\nlogging: { format: json, level: «loud» } # 日本\n"), ["invalid-value:error"]),
    # Comments.
    ("a warning silenced", file(providers=ACME.replace("    clientSecret: ${env:S}", "    # gateway-ignore: literal-secret only a trial\n    clientSecret: lksjdf93487fksdjf")), []),
    ("silenced without a reason", file(providers=ACME.replace("    clientSecret: ${env:S}", "    «# gateway-ignore: literal-secret»\n    clientSecret: «lksjdf93487fksdjf»")), ["ignore-without-reason:error", "literal-secret:warning"]),
    ("nothing to silence", file(providers=ACME.replace("    clientSecret", "    «# gateway-ignore: literal-secret why not»\n    clientSecret")), ["unused-ignore:warning"]),
    ("an error cannot be silenced", file(extra="«# gateway-ignore: unknown-key please»\n«upstreams»: []\n"), ["unused-ignore:warning", "unknown-key:error"]),
]


def unmarked(marked: str) -> tuple[bytes, list[tuple[int, int]], list[tuple[int, int]]]:
    """The file, and the byte ranges of `«…»` and of `‹…›`."""
    text = b""
    opened: list[int] = []
    found: list[tuple[int, int]] = []
    related: list[tuple[int, int]] = []
    for character in marked:
        if character in "«‹":
            opened.append(len(text))
        elif character in "»›":
            (found if character == "»" else related).append((opened.pop(), len(text)))
        else:
            text += character.encode()
    return text, sorted(found), sorted(related)


@pytest.fixture(scope="module")
def report(tmp_path_factory) -> dict[str, list[dict]]:
    """The findings of each case by its file's name."""
    folder = tmp_path_factory.mktemp("contract")
    for name, mode in [("writable.key", 0o666), ("readable.key", 0o644)]:
        (folder / name).write_text(session_key() + "\n")
        os.chmod(folder / name, mode)
    names = [f"{index}.yaml" for index in range(len(CASES))]
    for name, (_, text, _) in zip(names, CASES):
        (folder / name).write_bytes(unmarked(text)[0])
    run = run_command("validate", "--format", "json", *names, folder=folder, environment=ENVIRONMENT, timeout=120)
    assert run.returncode == 1, run.stderr
    findings: dict[str, list[dict]] = {name: [] for name in names}
    for finding in json.loads(run.stdout)["diagnostics"]:
        findings[finding["file"]].append(finding)
    return findings


@pytest.mark.parametrize("index", range(len(CASES)), ids=[case[0] for case in CASES])
def test_the_mistake_is_found_where_the_contract_says(report, index):
    _, marked, expected = CASES[index]
    text, places, related = unmarked(marked)
    findings = report[f"{index}.yaml"]
    found = [(f"{item['rule']}:{item['severity']}", (item["range"]["start"]["offset"], item["range"]["end"]["offset"])) for item in findings]
    assert found == list(zip(expected, places, strict=True)), [item["message"] for item in findings]
    for item in findings:
        for end in ("start", "end"):
            before = text[: item["range"][end]["offset"]].decode()
            line, column = before.count("\n") + 1, len(before.rpartition("\n")[2]) + 1
            assert (item["range"][end]["line"], item["range"][end]["column"]) == (line, column)
    shown = [(place["range"]["start"]["offset"], place["range"]["end"]["offset"]) for item in findings for place in item["related"]]
    if related:
        assert sorted(shown) == related


def test_an_empty_file_lacks_its_version(tmp_path):
    """§6: at 1:1."""
    (tmp_path / "empty.yaml").write_bytes(b"")
    (finding,) = json.loads(run_command("validate", "--format", "json", "empty.yaml", folder=tmp_path).stdout)["diagnostics"]
    assert (finding["rule"], finding["range"]["start"]) == ("missing-key", {"line": 1, "column": 1, "offset": 0})


def test_a_byte_order_mark_takes_three_bytes_and_no_column(tmp_path):
    """§6 "Positions"."""
    (tmp_path / "mark.yaml").write_bytes(b"\xef\xbb\xbfnonsense: 1\nversion: 1\n")
    findings = json.loads(run_command("validate", "--format", "json", "mark.yaml", folder=tmp_path).stdout)["diagnostics"]
    (finding,) = [item for item in findings if item["rule"] == "unknown-key"]
    assert finding["range"]["start"] == {"line": 1, "column": 1, "offset": 3}


def hostile() -> dict[str, bytes]:
    size = 10 * 1024 * 1024
    aliases = "version: 1\nx-a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(f"x-{new}: &{new} [{','.join(['*' + old] * 9)}]\n" for old, new in zip("abcdefghijkl", "bcdefghijklm"))
    return {
        "aliases of aliases": aliases.encode(),
        "10 MiB in one value": b'version: 1\nx-a: "' + b"a" * size + b'"\n',
        "10 MiB of line breaks": b"\n" * size,
        "10 MiB of items": b"version: 1\nx-a: [" + b"a," * (size // 2) + b"]\n",
        "10,000 levels": b"a: " + b"[" * 10_000 + b"]" * 10_000,
        "invalid UTF-8": b"version: 1\n" + b"a: \xc3\n" * (size // 5),
        "NUL": b"version: 1\0" * (size // 11),
        "comments that silence nothing": b"# gateway-ignore: a b\n" * (size // 22) + b"version: 1\n",
        "10,000 long keys in one line": b"version: 1\nserver: { " + b"".join(b"k%d%s: 1," % (n, b"a" * 900) for n in range(9_900)) + b" }\n",
        "references without end": b'version: 1\nupstream: "' + b"${env:S}" * (size // 8) + b'"\n',
    }


# In a process of its own: what a child has used at most is counted from its parent's size on.
MEASURE = """
import os, resource, subprocess, sys
child = subprocess.Popen(sys.argv[2:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (int(sys.argv[1]),) * 2))
_, status, usage = os.wait4(child.pid, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_maxrss)
"""


@pytest.mark.parametrize("name", list(hostile()))
def test_a_hostile_file_is_refused_within_bounds(tmp_path, name):
    """Never a crash, never out of hand: at most 100 MiB beside the program itself, and an end."""
    import subprocess
    import sys

    from parts.gateway import BINARY, SLOWDOWN

    def measured(text: bytes) -> tuple[int, int]:
        (tmp_path / "hostile.yaml").write_bytes(text)
        run = subprocess.run([sys.executable, "-S", "-c", MEASURE, str(30 * SLOWDOWN), str(BINARY), "validate", str(tmp_path / "hostile.yaml")], capture_output=True, text=True, timeout=280 * SLOWDOWN)
        status, kibibytes = run.stdout.split()
        return int(status), int(kibibytes)

    _, idle = measured(b"version: 1\n")
    status, used = measured(hostile()[name])
    assert status == 1
    assert used - idle < 100 * 1024 * SLOWDOWN, f"{used / 1024:.0f} MiB"

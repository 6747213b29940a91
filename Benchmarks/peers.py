"""What is measured: each proxy with its configuration, started on the CPU under test, and the way through its login."""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urljoin, urlsplit

import requests

from measuring import pinned
from parts.dev_provider import CLIENT_ID, CLIENT_SECRET, DevProvider
from parts.gateway import Gateway
from parts.processes import Process, accepts_connections, free_port

ENVIRONMENT = pathlib.Path(__file__).resolve().parents[1] / ".venv"


@dataclass
class Subject:
    """A way through a proxy: where to send the load, and whose CPU it costs."""

    name: str
    process: Process
    port: int
    tls_port: int | None = None
    prefix: str = ""
    headers: list[str] = field(default_factory=list)
    is_authenticated: bool = False
    drops_connections: bool = False
    # Other processes whose CPU counts, too.
    also: list[Process] = field(default_factory=list)
    # What it is configured to hold at once.
    most_connections: int = 10_000

    def url(self, path: str, secure: bool = False) -> str:
        if secure:
            assert self.tls_port is not None, f"{self.name} has no TLS listener"
            return f"https://localhost:{self.tls_port}{self.prefix}{path}"
        return f"http://127.0.0.1:{self.port}{self.prefix}{path}"


@dataclass
class Bench:
    """The machine for a run: folders, CPUs, the upstream, the provider, and everything that must end with it."""

    folder: pathlib.Path
    cpus: tuple[int, int]
    upstream: int = 0
    dev: DevProvider | None = None
    running: list[Process] = field(default_factory=list)

    def start(self, name: str, command: list[str], port: int, cpu: int | None = None) -> Process:
        process = Process(name, pinned(self.cpus[0] if cpu is None else cpu, *command), self.folder)
        self.running.append(process)
        process.wait_until(lambda: accepts_connections(port), "listening socket")
        return process

    def write(self, name: str, text: str) -> pathlib.Path:
        file = self.folder / name
        file.write_text(text)
        return file

    def certificate(self) -> tuple[pathlib.Path, pathlib.Path]:
        """One self-signed ECDSA P-256 certificate for `localhost`, for everybody."""
        certificate, key = self.folder / "tls.crt", self.folder / "tls.key"
        if not certificate.exists():
            subprocess.run(
                ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
                + ["-addext", "subjectAltName=DNS:localhost", "-keyout", str(key), "-out", str(certificate)],
                check=True,
                capture_output=True,
            )
            (self.folder / "both.pem").write_text(certificate.read_text() + key.read_text())
        return certificate, key


def program(name: str) -> str | None:
    return shutil.which(name) or next((path for path in (f"/usr/sbin/{name}", str(ENVIRONMENT / "bin" / name)) if os.access(path, os.X_OK)), None)


# --- nginx ------------------------------------------------------------------------------------------------------------

NGINX = """
{user}worker_processes 1; daemon off; pid {folder}/{name}.pid; error_log {folder}/{name}.err;
worker_rlimit_nofile 65536;
events {{ worker_connections 32768; }}
http {{
    access_log off; sendfile on; tcp_nodelay on; default_type text/plain;
    keepalive_requests 100000000; keepalive_timeout 1h;
    client_header_buffer_size 4k;  # a session's cookie is more than the usual 1k, which would be read twice
    client_body_temp_path {folder}/{name}1; proxy_temp_path {folder}/{name}2; fastcgi_temp_path {folder}/{name}3; uwsgi_temp_path {folder}/{name}4; scgi_temp_path {folder}/{name}5;
    {body}
}}
"""

UPSTREAM = """
    open_file_cache max=16; open_file_cache_valid 1h;
    server {{ listen 127.0.0.1:{port} backlog=4096; root {folder}/www; location = /status {{ stub_status; }} }}
"""

PROXY = """
    upstream app {{ server 127.0.0.1:{upstream}; keepalive 128; keepalive_requests 100000000; keepalive_timeout 1h; }}
    map $http_upgrade $connection_upgrade {{ default upgrade; "" ""; }}
    server {{
        listen 127.0.0.1:{port} backlog=4096;
        listen 127.0.0.1:{tls} ssl http2 backlog=4096;
        ssl_certificate {certificate}; ssl_certificate_key {key}; ssl_session_cache off; ssl_session_tickets off;
        location /ws {{ proxy_pass http://127.0.0.1:{websocket}; proxy_http_version 1.1; proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection $connection_upgrade; proxy_read_timeout 1h; }}
        location / {{ proxy_pass http://app; proxy_http_version 1.1; proxy_set_header Connection ""; {headers} }}
    }}
"""

# What the gateway says of each request, and what is usually configured: an app behind a proxy needs it to know its own address and its client.
FORWARDING = """
    proxy_set_header Host $http_host; proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for; proxy_set_header X-Forwarded-Host $http_host;
    proxy_set_header X-Forwarded-Proto $scheme; proxy_set_header X-Request-Id $request_id;
"""


def nginx(bench: Bench, name: str, body: str, port: int, cpu: int) -> Process:
    # Without `user`, workers of a server that root starts could not read a folder of root's.
    user = "user root; " if os.geteuid() == 0 else ""
    file = bench.write(f"{name}.conf", NGINX.format(user=user, folder=bench.folder, name=name, body=body))
    command = [program("nginx") or "nginx", "-c", str(file), "-p", str(bench.folder), "-e", str(bench.folder / f"{name}.err")]
    return bench.start(name, command, port, cpu)


def start_upstream(bench: Bench) -> None:
    bench.upstream = free_port()
    nginx(bench, "upstream", UPSTREAM.format(folder=bench.folder, port=bench.upstream), bench.upstream, bench.cpus[1])


def nginx_subjects(bench: Bench, websocket: int, name: str = "nginx", headers: str = "") -> list[Subject]:
    certificate, key = bench.certificate()
    port, tls = free_port(), free_port()
    body = PROXY.format(port=port, tls=tls, upstream=bench.upstream, certificate=certificate, key=key, websocket=websocket, headers=headers)
    return [Subject(name, nginx(bench, name.replace(" ", "-"), body, port, bench.cpus[0]), port, tls)]


ASKING = """
    upstream ask {{ server {ask}; keepalive 128; keepalive_requests 100000000; keepalive_timeout 1h; }}
    upstream app {{ server 127.0.0.1:{upstream}; keepalive 128; keepalive_requests 100000000; keepalive_timeout 1h; }}
    server {{
        listen 127.0.0.1:{port} backlog=4096;
        location = /ask {{
            internal; proxy_pass http://ask/nginx; proxy_http_version 1.1; proxy_set_header Connection "";
            proxy_set_header Host $host:$server_port; proxy_pass_request_body off; proxy_set_header Content-Length "";
            proxy_set_header X-Original-Method $request_method;
            proxy_set_header X-Original-URL $scheme://$host:$server_port$request_uri; proxy_set_header X-Forwarded-For $remote_addr;
        }}
        location / {{
            auth_request /ask; auth_request_set $user $upstream_http_x_forwarded_user; auth_request_set $email $upstream_http_x_forwarded_email;
            auth_request_set $groups $upstream_http_x_forwarded_groups; proxy_pass http://app; proxy_http_version 1.1;
            proxy_set_header Connection ""; proxy_set_header X-Forwarded-User $user; proxy_set_header X-Forwarded-Email $email;
            proxy_set_header X-Forwarded-Groups $groups;
        }}
    }}
"""


def deciding_subjects(bench: Bench, websocket: int) -> list[Subject]:
    """The gateway as a proxy, as the one who only decides, and behind nginx's `auth_request` over TCP and over a Unix socket."""
    ask, path = free_port(), bench.folder / "questions.sock"
    changes = {"authorization": {"listen": [f"127.0.0.1:{ask}", f"unix:{path}"]}, "logging": {"level": "warning", "access": {"enabled": False}}}
    proxying = gateway_subjects(bench, websocket, changes, "deciding")[1]

    def asking(name: str, server: str) -> Subject:
        port = free_port()
        process = nginx(bench, name.replace(" ", "-"), ASKING.format(ask=server, upstream=bench.upstream, port=port), port, bench.cpus[0])
        return Subject(name, process, port, headers=proxying.headers, is_authenticated=True, also=[proxying.process])

    return [
        Subject("gateway proxies", proxying.process, proxying.port, headers=proxying.headers, is_authenticated=True),
        Subject("gateway decides", proxying.process, ask, prefix="/envoy", headers=proxying.headers, is_authenticated=True),
        asking("nginx asks over TCP", f"127.0.0.1:{ask}"),
        asking("nginx asks over a Unix socket", f"unix:{path}"),
    ]


def forwarding_nginx_subjects(bench: Bench, websocket: int) -> list[Subject]:
    """The same with the forwarding headers that the gateway sends too."""
    return nginx_subjects(bench, websocket, "nginx with forwarding headers", FORWARDING)


# --- HAProxy, Caddy ---------------------------------------------------------------------------------------------------

HAPROXY = """
global
  nbthread 1
  maxconn 9000
  no tls-tickets
defaults
  mode http
  timeout connect 5s
  timeout client 1h
  timeout server 1h
  http-reuse always
frontend f
  bind 127.0.0.1:{port}
  bind 127.0.0.1:{tls} ssl crt {folder}/both.pem alpn h2,http/1.1
  default_backend b
backend b
  server s 127.0.0.1:{upstream} pool-max-conn 256
"""


def haproxy_subjects(bench: Bench, websocket: int) -> list[Subject]:
    bench.certificate()
    port, tls = free_port(), free_port()
    text = HAPROXY.format(port=port, tls=tls, upstream=bench.upstream, folder=bench.folder).replace("  no tls-tickets\n", "")
    file = bench.write("haproxy.cfg", text)
    return [Subject("HAProxy", bench.start("haproxy", [program("haproxy") or "haproxy", "-q", "-f", str(file)], port), port, tls, most_connections=8_900)]


CADDY = """
{{
  admin off
  auto_https off
  log {{
    level ERROR
  }}
}}
http://127.0.0.1:{port} {{
  reverse_proxy 127.0.0.1:{upstream}
}}
https://localhost:{tls} {{
  tls {certificate} {key}
  reverse_proxy 127.0.0.1:{upstream}
}}
"""


def caddy_subjects(bench: Bench, websocket: int) -> list[Subject]:
    certificate, key = bench.certificate()
    port, tls = free_port(), free_port()
    file = bench.write("Caddyfile", CADDY.format(port=port, tls=tls, upstream=bench.upstream, certificate=certificate, key=key))
    command = ["env", "GOMAXPROCS=1", f"HOME={bench.folder}", program("caddy") or "caddy", "run", "--config", str(file), "--adapter", "caddyfile"]
    return [Subject("Caddy", bench.start("caddy", command, port), port, tls)]


# --- Envoy ------------------------------------------------------------------------------------------------------------

ENVOY_FILTER = """
          - name: envoy.filters.http.oauth2
            typed_config:
              "@type": type.googleapis.com/envoy.extensions.filters.http.oauth2.v3.OAuth2
              config:
                token_endpoint: {{ cluster: op, uri: "{issuer}/token", timeout: 5s }}
                authorization_endpoint: {issuer}/authorize
                redirect_uri: http://127.0.0.1:{port}/callback
                redirect_path_matcher: {{ path: {{ exact: /callback }} }}
                signout_path: {{ path: {{ exact: /signout }} }}
                forward_bearer_token: false
                credentials:
                  client_id: {client}
                  token_secret: {{ name: token, sds_config: {{ path_config_source: {{ path: {folder}/token.yaml }} }} }}
                  hmac_secret: {{ name: hmac, sds_config: {{ path_config_source: {{ path: {folder}/hmac.yaml }} }} }}
                auth_scopes: [ openid, email, profile ]
"""

ENVOY_LISTENER = """
  - address: {{ socket_address: {{ address: 127.0.0.1, port_value: {port} }} }}
    filter_chains:
    - filters:
      - name: hcm
        typed_config:
          "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
          stat_prefix: i
          codec_type: AUTO
          route_config: {{ virtual_hosts: [ {{ name: v, domains: ["*"], routes: [ {{ match: {{ prefix: "/" }}, route: {{ cluster: u }} }} ] }} ] }}
          http_filters:{oauth}
          - name: envoy.filters.http.router
            typed_config: {{ "@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router }}
{transport}
"""

ENVOY_TLS = """
      transport_socket:
        name: tls
        typed_config:
          "@type": type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext
          disable_stateless_session_resumption: true
          common_tls_context:
            alpn_protocols: [h2, http/1.1]
            tls_certificates: [ {{ certificate_chain: {{ filename: {certificate} }}, private_key: {{ filename: {key} }} }} ]
"""

ENVOY_CLUSTERS = """
  - name: {name}
    connect_timeout: 1s
    circuit_breakers: {{ thresholds: [ {{ max_connections: 20000, max_pending_requests: 20000, max_requests: 20000 }} ] }}
    load_assignment: {{ cluster_name: {name}, endpoints: [ {{ lb_endpoints: [ {{ endpoint: {{ address: {{ socket_address: {{ address: 127.0.0.1, port_value: {port} }} }} }} }} ] }} ] }}
"""

ENVOY_SECRET = """
resources:
- "@type": type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.Secret
  name: {name}
  generic_secret: {{ secret: {{ inline_string: "{value}" }} }}
"""


def envoy_subjects(bench: Bench, websocket: int) -> list[Subject]:
    assert bench.dev is not None
    certificate, key = bench.certificate()
    public, tls, private = free_port(), free_port(), free_port()
    bench.write("token.yaml", ENVOY_SECRET.format(name="token", value=CLIENT_SECRET))
    bench.write("hmac.yaml", ENVOY_SECRET.format(name="hmac", value="0123456789abcdef0123456789abcdef"))
    oauth = ENVOY_FILTER.format(issuer=bench.dev.issuer, port=private, client=CLIENT_ID, folder=bench.folder)
    text = "static_resources:\n  listeners:" + ENVOY_LISTENER.format(port=public, oauth="", transport="")
    text += ENVOY_LISTENER.format(port=tls, oauth="", transport=ENVOY_TLS.format(certificate=certificate, key=key))
    text += ENVOY_LISTENER.format(port=private, oauth=oauth, transport="")
    text += "  clusters:" + ENVOY_CLUSTERS.format(name="u", port=bench.upstream) + ENVOY_CLUSTERS.format(name="op", port=bench.dev.port)
    command = [program("envoy") or "envoy", "-c", str(bench.write("envoy.yaml", text)), "--concurrency", "1", "--service-node", "bench", "--service-cluster", "bench", "-l", "error", "--use-dynamic-base-id"]
    process = bench.start("envoy", command, private)
    cookie = log_in(f"http://127.0.0.1:{private}/1024", bench.dev)
    return [
        Subject("Envoy", process, public, tls),
        Subject("Envoy, OAuth2 filter", process, private, headers=[f"Cookie: {cookie}"], is_authenticated=True),
    ]


# --- Apache -----------------------------------------------------------------------------------------------------------

APACHE = """
ServerRoot /etc/apache2
PidFile {folder}/apache.pid
DefaultRuntimeDir {folder}
Listen 127.0.0.1:{port}
ServerName 127.0.0.1
LoadModule mpm_event_module {modules}/mod_mpm_event.so
LoadModule authn_core_module {modules}/mod_authn_core.so
LoadModule authz_core_module {modules}/mod_authz_core.so
LoadModule authz_user_module {modules}/mod_authz_user.so
LoadModule proxy_module {modules}/mod_proxy.so
LoadModule proxy_http_module {modules}/mod_proxy_http.so
LoadModule auth_openidc_module {modules}/mod_auth_openidc.so
User www-data
Group www-data
ErrorLog {folder}/apache.err
LogLevel warn
StartServers 1
ServerLimit 1
ThreadLimit 64
ThreadsPerChild 64
MaxRequestWorkers 64
MinSpareThreads 64
MaxSpareThreads 64
MaxConnectionsPerChild 0
AsyncRequestWorkerFactor 16
KeepAlive On
MaxKeepAliveRequests 0
KeepAliveTimeout 60
OIDCProviderMetadataURL {issuer}/.well-known/openid-configuration
OIDCClientID {client}
OIDCClientSecret {secret}
OIDCRedirectURI http://127.0.0.1:{port}/oidc/cb
OIDCCryptoPassphrase 0123456789abcdef0123456789abcdef
OIDCScope "openid email profile"
OIDCSSLValidateServer Off
OIDCSessionInactivityTimeout 86400
OIDCSessionMaxDuration 86400
{session}
<Proxy http://127.0.0.1:{upstream}/>
  ProxySet keepalive=On max=256 ttl=3600 enablereuse=on
</Proxy>
ProxyPreserveHost On
ProxyPass /oidc/cb !
<Location />
  AuthType openid-connect
  Require valid-user
</Location>
ProxyPass / http://127.0.0.1:{upstream}/
ProxyPassReverse / http://127.0.0.1:{upstream}/
"""


def apache_subjects(bench: Bench, websocket: int) -> list[Subject]:
    assert bench.dev is not None
    port = free_port()
    file = bench.write(
        "apache.conf",
        APACHE.format(
            folder=bench.folder, port=port, modules="/usr/lib/apache2/modules", issuer=bench.dev.issuer, client=CLIENT_ID, secret=CLIENT_SECRET,
            upstream=bench.upstream, session="",
        ),
    )
    process = bench.start("apache", [program("apache2") or "apache2", "-X" if os.geteuid() else "-DFOREGROUND", "-f", str(file)], port)
    cookie = log_in(f"http://127.0.0.1:{port}/1024", bench.dev)
    return [
        Subject("Apache, mod_auth_openidc", process, port, headers=[f"Cookie: {cookie}"], is_authenticated=True, drops_connections=True)
    ]


# --- The gateway ------------------------------------------------------------------------------------------------------


def gateway_subjects(bench: Bench, websocket: int, changes: dict[str, Any] | None = None, name: str = "gateway") -> list[Subject]:
    """The same gateway twice: a public route, and one that needs the session of a real login. And both over TLS."""
    assert bench.dev is not None
    certificate, key = bench.certificate()
    port, tls = free_port(), free_port()
    configuration: dict[str, Any] = {
        "upstream": f"http://127.0.0.1:{bench.upstream}",
        "providers": [bench.dev.configuration],
        "routes": [
            {"path": "/ws", "access": "public", "upstream": f"http://127.0.0.1:{websocket}"},
            {"path": "/public/**", "access": "public"},
            {"path": "/**", "access": {"groups": ["admins"]}},
        ],
        # A token that would be renewed in the middle of a round is none of this measurement's business.
        "session": {"refresh": False},
        # As for the peers: what a log costs is measured by itself.
        "logging": {"level": "warning", "access": {"enabled": False}},
    }
    configuration.update(changes or {})

    def started(name: str, configuration: dict[str, Any], port: int) -> Gateway:
        gateway = Gateway(name, bench.folder, configuration, port)
        # Pinned before it starts: threads made later inherit it, and the number of event loops follows it.
        os.sched_setaffinity(0, {bench.cpus[0]})
        try:
            gateway.start()
        finally:
            os.sched_setaffinity(0, set(bench.cpus))
        assert gateway.process is not None
        bench.running.append(gateway.process)
        return gateway

    from logins import session_cookie, sign_in

    plain = started(name, configuration, port)
    cookie = session_cookie(sign_in(plain, bench.dev))
    subjects = [
        Subject(f"{name}, public route", plain.process, port, prefix="/public"),  # type: ignore[arg-type]
        Subject(f"{name}, authenticated route", plain.process, port, headers=[f"Cookie: session={cookie}"], is_authenticated=True),  # type: ignore[arg-type]
    ]
    if name == "gateway":
        secure = dict(configuration)
        secure["server"] = {
            "listen": f"127.0.0.1:{tls}", "publicURL": f"https://localhost:{tls}", "tls": {"certificate": str(certificate), "key": str(key)},
        }
        # A session of the plain one is none of the other's, whose cookie has another name.
        other = started(f"{name}-tls", secure, tls)
        cookies = dict(pair.split("=", 1) for pair in log_in(f"https://localhost:{tls}/1024", bench.dev, str(certificate)).split("; "))
        header = f"Cookie: __Host-session={cookies['__Host-session']}"
        subjects += [
            Subject("gateway over TLS, public route", other.process, tls, tls, prefix="/public"),  # type: ignore[arg-type]
            Subject("gateway over TLS, authenticated route", other.process, tls, tls, headers=[header], is_authenticated=True),  # type: ignore[arg-type]
        ]
    return subjects


# --- Logging in -------------------------------------------------------------------------------------------------------


def log_in(address: str, dev: DevProvider, authority: str | None = None) -> str:
    """Goes through a peer's login as a browser would; returns the `Cookie` value that it wants from then on.

    `authority`: the file of the certificate that the peer shows."""
    jars: dict[str, dict[str, str]] = {}
    session = requests.Session()
    session.trust_env = False
    session.verify = authority or True

    def get(url: str) -> requests.Response:
        origin = urlsplit(url).netloc
        # `Secure` cookies over plain loopback: browsers send them to localhost, requests does not.
        cookies = "; ".join(f"{name}={value}" for name, value in jars.get(origin, {}).items())
        session.cookies.clear()
        headers = {"Accept": "text/html", **({"Cookie": cookies} if cookies else {})}
        response = session.get(url, headers=headers, allow_redirects=False, timeout=20)
        for line in response.raw.headers.getlist("Set-Cookie"):
            name, _, value = line.split(";")[0].partition("=")
            jar = jars.setdefault(origin, {})
            if value and "Max-Age=0" not in line:
                jar[name] = value
            else:
                jar.pop(name, None)
        return response

    for _ in range(12):
        response = get(address)
        if response.status_code in (301, 302, 303, 307):
            address = urljoin(address, response.headers["Location"])
        elif urlsplit(address).port == dev.port:
            address = DevProvider.choose(session, response, "alice")
        else:
            break
    if response.status_code != 200:
        sys.exit(f"bench: the login at {address} ended with {response.status_code}: {response.text[:300]}")
    return "; ".join(f"{name}={value}" for name, value in jars[urlsplit(address).netloc].items())


PEERS: dict[str, Callable[[Bench, int], list[Subject]]] = {
    "nginx": nginx_subjects,
    "nginx-forwarding": forwarding_nginx_subjects,
    "haproxy": haproxy_subjects,
    "caddy": caddy_subjects,
    "envoy": envoy_subjects,
    "apache": apache_subjects,
    "gateway": gateway_subjects,
}

"""Real proxies with the configurations of docs/behind, on free ports."""

from __future__ import annotations

import copy
import pathlib
import re
import shutil

import yaml

from parts.gateway import ROOT
from parts.processes import Process, accepts_connections, free_port

PAGES = ROOT / "docs/behind"
PROXIES = ["nginx", "nginx-unix", "caddy", "haproxy", "envoy", "envoy-grpc"]
# The same with several sites. The second one asks as ingress-nginx does, with the condition that README.md has for it.
SITES = ["nginx", "nginx-http-host", "caddy", "haproxy", "envoy", "envoy-grpc"]


def blocks(page: str) -> list[str]:
    """The configurations of a page."""
    found = re.findall(r"^( *)```\w+\n(.*?)^\1```$", (PAGES / f"{page}.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return [re.sub(f"^{indent}", "", text, flags=re.MULTILINE) for indent, text in found]


def program(name: str) -> str | None:
    beside = ROOT / ".venv/bin" / name
    return shutil.which(name, path="/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin:/bin") or (str(beside) if beside.exists() else None)


class BehindProxy:
    """A proxy in front of an app. `kind`: a page of docs/behind, or a variant on it. `gateway`, `questions`: the ports of the gateway.
    `socket`: where it takes questions, too."""

    def __init__(self, kind: str, folder: pathlib.Path, port: int, *, gateway: int, questions: int, app: int, socket: pathlib.Path) -> None:
        self.kind = kind
        self.socket = socket
        self.port = port
        self.origin = f"http://127.0.0.1:{port}"
        self.folder = folder / f"behind-{kind}"
        self.folder.mkdir(exist_ok=True)
        self.ports = {"4180": gateway, "4181": questions, "8080": app}
        self.process = Process(f"behind-{kind}", getattr(self, kind.replace("-", "_"))(), self.folder, {"HOME": str(self.folder), "GOMAXPROCS": "1"})
        self.process.wait_until(lambda: accepts_connections(port), f"{kind} on its port")

    def write(self, name: str, text: str, replacements: dict[str, str]) -> str:
        """A configuration of the page with this machine's addresses. Each replacement must have been there."""
        for old, new in replacements.items():
            assert old in text, f"docs/behind/{self.kind}.md lacks {old!r}"
            text = text.replace(old, new)
        file = self.folder / name
        file.write_text(re.sub(r"\b(4180|4181|8080)\b", lambda match: str(self.ports[match[1]]), text), encoding="utf-8")
        return str(file)

    def nginx_unix(self) -> list[str]:
        """The page's complete configuration with the socket that follows it."""
        whole, upstream = blocks("nginx")
        start = whole.index("    upstream gateway_questions {")
        self.socket.chmod(0o666)  # the test's gateway and nginx's workers are different users
        upstream = upstream.replace("/run/gateway/ask.sock", str(self.socket))
        return self.nginx(whole[:start] + upstream + whole[whole.index("    server {") :])

    def nginx_uri(self) -> list[str]:
        """The page's complete configuration, but with Host and X-Original-URI, which the gateway takes, too."""
        whole = blocks("nginx")[0]
        old = re.search(r" +proxy_set_header X-Original-URL [^\n]+\n +proxy_set_header X-Original-URI \"\";\n", whole)
        assert old, "docs/behind/nginx.md lacks X-Original-URL and X-Original-URI"
        return self.nginx(whole.replace(old[0], "proxy_set_header X-Original-URI $request_uri;\n"))

    def nginx(self, text: str | None = None) -> list[str]:
        # The page says so for other ports than the default ones.
        replacements = {
            "listen 80;": f"listen 127.0.0.1:{self.port};",
            "listen 80 default_server;": f"listen 127.0.0.1:{self.port} default_server;",
            "server_name app.example.com;": "server_name 127.0.0.1;",
            "$host": "$host:$server_port",
        }
        return self.run_nginx(text or blocks("nginx")[0], replacements)

    def run_nginx(self, text: str, replacements: dict[str, str]) -> list[str]:
        file = self.write("nginx.conf", text, replacements)
        options = f"daemon off; worker_processes 1; error_log {self.folder}/error.log; pid {self.folder}/nginx.pid;"
        return [program("nginx") or "nginx", "-p", str(self.folder), "-c", file, "-g", options]

    def caddy(self) -> list[str]:
        return self.run_caddy("{\n\tadmin off\n}\n" + blocks("caddy")[0], {"http://app.example.com:80": self.origin})

    def run_caddy(self, text: str, replacements: dict[str, str]) -> list[str]:
        file = self.write("Caddyfile", text, replacements)
        return [program("caddy") or "caddy", "run", "--config", file, "--adapter", "caddyfile"]

    def haproxy(self) -> list[str]:
        return self.run_haproxy(blocks("haproxy")[0])

    def run_haproxy(self, configuration: str) -> list[str]:
        lua = self.write("gateway.lua", blocks("haproxy")[1], {})
        file = self.write("haproxy.cfg", configuration, {"/etc/haproxy/gateway.lua": lua, "bind :80": f"bind 127.0.0.1:{self.port}"})
        return [program("haproxy") or "haproxy", "-db", "-f", file]

    def envoy_grpc(self) -> list[str]:
        """The page's complete configuration with the filter and the cluster that follow it."""
        whole, filter, cluster, _ = blocks("envoy")
        start = whole.index("                  - name: envoy.filters.http.ext_authz\n")
        end = whole.index("                  - name: envoy.filters.http.router\n")
        return self.envoy(whole[:start] + filter + whole[end : whole.index("    - name: decisions\n")] + cluster)

    def envoy(self, text: str | None = None) -> list[str]:
        replacements = {
            "address: 0.0.0.0, port_value: 80 ": f"address: 127.0.0.1, port_value: {self.port} ",
            "app.example.com": f"127.0.0.1:{self.port}",
        }
        return self.run_envoy(text or blocks("envoy")[0], replacements)

    def run_envoy(self, text: str, replacements: dict[str, str]) -> list[str]:
        file = self.write("envoy.yaml", text, replacements)
        options = ["--concurrency", "1", "-l", "error", "--use-dynamic-base-id"]
        return [program("envoy") or "envoy", "-c", file, *options]


class SitesProxy(BehindProxy):
    """A proxy in front of several apps, which its configuration chooses by host. `apps`: their ports by host. Clients name no port.
    `http2`: where it takes HTTP/2 with prior knowledge."""

    def __init__(self, kind: str, folder: pathlib.Path, *, gateway: int, questions: int, apps: dict[str, int], socket: pathlib.Path) -> None:
        self.apps = apps
        port = free_port()
        self.http2 = free_port() if kind.startswith(("nginx", "haproxy")) else port
        folder = folder / "sites"
        folder.mkdir(exist_ok=True)
        # No app is at the page's port.
        super().__init__(kind, folder, port, gateway=gateway, questions=questions, app=1, socket=socket)

    def nginx(self, text: str | None = None) -> list[str]:
        """The page's server block for each site, as it stands."""
        whole = text or blocks("nginx")[0]
        start, end = whole.index("    server {\n        listen 80;"), whole.rindex("}")
        servers = [whole[start:end].replace("app.example.com", host).replace("8080", str(port)) for host, port in self.apps.items()]
        listen = f"listen 127.0.0.1:{self.port}; listen 127.0.0.1:{self.http2} http2;"
        others = "listen 80 default_server;"
        return self.run_nginx(
            whole[:start] + "".join(servers) + whole[end:], {"listen 80;": listen, others: listen.replace(";", " default_server;")}
        )

    def nginx_http_host(self) -> list[str]:
        condition = next(block for block in blocks("README") if "$http_host" in block)
        name = "server_name app.example.com;"
        return self.nginx(blocks("nginx")[0].replace("$host", "$http_host").replace(name, f"{name} {condition}"))

    def caddy(self) -> list[str]:
        whole = blocks("caddy")[0]
        start = whole.index("http://app.example.com:80 {")
        sites = [
            whole[start:].replace("app.example.com:80", f"{host}:{self.port}").replace("8080", str(port)) for host, port in self.apps.items()
        ]
        return self.run_caddy("{\n\tadmin off\n\tservers {\n\t\tprotocols h1 h2c\n\t}\n}\n" + whole[:start] + "".join(sites), {})

    def haproxy(self) -> list[str]:
        """The page's complete configuration with the choice that follows it."""
        whole, _, choice = blocks("haproxy")
        start, end = whole.index("    use_backend gateway if own_page\n"), whole.index("\nbackend gateway\n")
        backends = whole[end : whole.index("\nbackend app\n")]
        for (host, port), (name, old) in zip(self.apps.items(), re.findall(r"use_backend (\w+) if .* (\S+\.example\.com) ", choice), strict=True):
            choice = choice.replace(f" {old} ", f" {host} ")
            backends += f"\nbackend {name}\n    server {name} 127.0.0.1:{port}\n"
        both = f"bind :80\n    bind 127.0.0.1:{self.http2} proto h2\n"
        return self.run_haproxy((whole[:start] + choice + backends).replace("bind :80\n", both))

    def envoy(self, text: str | None = None) -> list[str]:
        whole = yaml.safe_load(text or blocks("envoy")[0])["static_resources"]
        listener = whole["listeners"][0]
        listener["address"]["socket_address"] = {"address": "127.0.0.1", "port_value": self.port}
        manager = listener["filter_chains"][0]["filters"][0]["typed_config"]
        # Otherwise, a connection with an invalid request stays open for a second.
        manager["delayed_close_timeout"] = "0.01s"
        hosts = manager["route_config"]["virtual_hosts"]
        (site, cluster) = hosts.pop(), whole["clusters"].pop(0)
        assert (site["domains"], site["routes"][1]["route"]["cluster"], cluster["name"]) == (["app.example.com"], "app", "app")
        for number, (host, port) in enumerate(self.apps.items()):
            site, cluster = copy.deepcopy((site, cluster))
            site["name"] = site["routes"][1]["route"]["cluster"] = cluster["name"] = f"app-{number}"
            cluster["load_assignment"]["endpoints"][0]["lb_endpoints"][0]["endpoint"]["address"]["socket_address"]["port_value"] = port
            site["domains"] = [host, f"{host}:*"]
            hosts.append(site)
            whole["clusters"].append(cluster)
        return self.run_envoy(yaml.safe_dump({"static_resources": whole}), {})


def free_ports() -> tuple[int, int, int]:
    return free_port(), free_port(), free_port()

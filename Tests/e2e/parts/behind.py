"""Real proxies with the configurations of docs/behind, on free ports."""

from __future__ import annotations

import pathlib
import re
import shutil

from parts.gateway import ROOT
from parts.processes import Process, accepts_connections, free_port

PAGES = ROOT / "docs/behind"
PROXIES = ["nginx", "nginx-unix", "caddy", "haproxy", "envoy", "envoy-grpc"]


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
        file = self.write("nginx.conf", text or blocks("nginx")[0], {"listen 80;": f"listen 127.0.0.1:{self.port};"})
        options = f"daemon off; worker_processes 1; error_log {self.folder}/error.log; pid {self.folder}/nginx.pid;"
        return [program("nginx") or "nginx", "-p", str(self.folder), "-c", file, "-g", options]

    def caddy(self) -> list[str]:
        text = "{\n\tadmin off\n}\n" + blocks("caddy")[0]
        file = self.write("Caddyfile", text, {"http://app.example.com:80": self.origin})
        return [program("caddy") or "caddy", "run", "--config", file, "--adapter", "caddyfile"]

    def haproxy(self) -> list[str]:
        configuration, action = blocks("haproxy")
        lua = self.write("gateway.lua", action, {})
        file = self.write("haproxy.cfg", configuration, {"/etc/haproxy/gateway.lua": lua, "bind :80": f"bind 127.0.0.1:{self.port}"})
        return [program("haproxy") or "haproxy", "-db", "-f", file]

    def envoy_grpc(self) -> list[str]:
        """The page's complete configuration with the filter and the cluster that follow it."""
        whole, filter, cluster, _ = blocks("envoy")
        start = whole.index("                  - name: envoy.filters.http.ext_authz\n")
        end = whole.index("                  - name: envoy.filters.http.router\n")
        return self.envoy(whole[:start] + filter + whole[end : whole.index("    - name: decisions\n")] + cluster)

    def envoy(self, text: str | None = None) -> list[str]:
        file = self.write(
            "envoy.yaml",
            text or blocks("envoy")[0],
            {
                "address: 0.0.0.0, port_value: 80 ": f"address: 127.0.0.1, port_value: {self.port} ",
                "app.example.com": f"127.0.0.1:{self.port}",
            },
        )
        options = ["--concurrency", "1", "-l", "error", "--use-dynamic-base-id"]
        return [program("envoy") or "envoy", "-c", file, *options]


def free_ports() -> tuple[int, int, int]:
    return free_port(), free_port(), free_port()

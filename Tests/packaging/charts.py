"""Helm without a cluster, and what it rendered."""

from __future__ import annotations

import base64
import os
import pathlib
import re
import subprocess
from collections.abc import Iterator
from typing import Any

import yaml

from parts.certificates import Authority
from parts.gateway import run_command


class HelmError(Exception):
    pass


def read_documents(text: str) -> list[dict[str, Any]]:
    return [document for document in yaml.safe_load_all(text) if document]


def one(objects: list[dict[str, Any]], kind: str, name_ends: str = "") -> dict[str, Any]:
    found = [item for item in objects if item["kind"] == kind and item["metadata"]["name"].endswith(name_ends)]
    assert len(found) == 1, f"{len(found)} objects of kind {kind} …{name_ends}"
    return found[0]


def pod_specs(objects: list[dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    for item in objects:
        name = f"{item['kind']}/{item['metadata']['name']}"
        if item["kind"] in ("Deployment", "Job"):
            yield name, item["spec"]["template"]["spec"]
        elif item["kind"] == "Pod":
            yield name, item["spec"]


def containers(spec: dict[str, Any]) -> list[dict[str, Any]]:
    return [*spec.get("initContainers", []), *spec["containers"]]


class Chart:
    def __init__(self, helm: pathlib.Path, folder: pathlib.Path, home: pathlib.Path) -> None:
        self.helm, self.folder, self.home = helm, folder, home

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, **{f"HELM_{kind}_HOME": str(self.home / kind) for kind in ("CACHE", "CONFIG", "DATA")}}
        # Tests must not depend on a developer's own cluster.
        environment.pop("KUBECONFIG", None)
        return subprocess.run([str(self.helm), *arguments], env=environment, capture_output=True, text=True, timeout=60)

    def command(self, *arguments: str) -> str:
        done = self.run(*arguments)
        if done.returncode != 0:
            raise HelmError(done.stderr + done.stdout)
        return done.stdout

    def values_file(self, name: str, values: dict[str, Any]) -> pathlib.Path:
        path = self.home / f"{name}.yaml"
        path.write_text(yaml.safe_dump(values, allow_unicode=True), encoding="utf-8")
        return path

    def render_text(self, *files: pathlib.Path, kube_version: str = "1.33.0", folder: pathlib.Path | None = None, release: str = "r") -> str:
        options = [option for file in files for option in ("--values", str(file))]
        return self.command("template", release, str(folder or self.folder), "--kube-version", kube_version, *options)

    def render(self, *files: pathlib.Path, **options: Any) -> list[dict[str, Any]]:
        return read_documents(self.render_text(*files, **options))


class Installed:
    """What a pod would find in its volumes, under a folder: the ConfigMap's file, and Secrets with values of the right kind."""

    def __init__(self, objects: list[dict[str, Any]], spec: dict[str, Any], container: dict[str, Any], folder: pathlib.Path) -> None:
        self.folder = folder
        self.minted: list[str] = []
        maps = {item["metadata"]["name"]: item.get("data", {}) for item in objects if item["kind"] == "ConfigMap"}
        mounts = {mount["name"]: mount["mountPath"] for mount in container["volumeMounts"]}
        for volume in spec["volumes"]:
            base = folder / mounts[volume["name"]].lstrip("/")
            if "configMap" in volume:
                for key, text in maps.get(volume["configMap"]["name"], {}).items():
                    self.write(base / key, text)
            for source in volume.get("projected", {}).get("sources", []):
                for key, text in maps.get(source.get("configMap", {}).get("name"), {}).items():
                    self.write(base / key, text)
                for entry in source.get("secret", {}).get("items", []):
                    self.write(base / entry["path"], self.secret(entry["path"]), 0o440)
            if "secret" in volume:
                # The one Secret that is mounted whole is of the type kubernetes.io/tls.
                certificate, key = Authority(folder).pem(["app.example.com"])
                self.write(base / "tls.crt", certificate.decode())
                self.write(base / "tls.key", key.decode(), 0o440)

    def secret(self, path: str) -> str:
        if path.endswith("private-key"):
            return run_command("keygen", "assertion").stdout
        value = base64.b64encode(os.urandom(32)).decode()
        self.minted.append(value)
        return value

    @staticmethod
    def write(path: pathlib.Path, text: str, mode: int = 0o644) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        path.chmod(mode)

    def relocate(self, path: str) -> pathlib.Path:
        """The file at an absolute path of the container, with the paths in it moved into the folder as well."""
        file = self.folder / path.lstrip("/")
        text = file.read_text(encoding="utf-8").replace("${file:/", f"${{file:{self.folder}/")
        text = re.sub(r"^(\s+(?:certificate|key): )/", rf"\g<1>{self.folder}/", text, flags=re.MULTILINE)
        file.write_text(text, encoding="utf-8")
        return file

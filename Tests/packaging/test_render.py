"""`gateway render sidecar`, and the examples for Kubernetes, Compose and systemd."""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import subprocess
import sys
from typing import Any

import kubernetes_validate
import pytest
import yaml

from charts import Chart, Installed, containers, one, pod_specs, read_documents
from parts.certificates import Authority
from parts.gateway import BINARY, ROOT, run_command, session_key

EXAMPLES = ROOT / "examples"
APP = EXAMPLES / "kubernetes/app"

CONFIGURATION = """\
version: 1
server: { listen: ":4180", publicURL: "${env:PUBLIC_URL:-https://app.example.com}", trustedProxies: [10.0.0.0/8] }
admin: { listen: ":9180" }
upstream: http://127.0.0.1:8080
providers:
  - { id: oidc.acme, issuer: https://auth.example.com, clientID: acme-web, clientSecret: "${env:ACME_SECRET}" }
  - { id: oidc.other, displayName: Other, issuer: https://other.example.com, clientID: acme-web, clientSecret: "${file:/run/secrets/other/secret}" }
session: { keys: ["${file:./session.key}", "${file:old.key}"] }
"""


def render(folder: pathlib.Path, *options: str, configuration: str = CONFIGURATION) -> subprocess.CompletedProcess[str]:
    (folder / "gateway.yaml").write_text(configuration)
    return run_command("render", "sidecar", *options, "gateway.yaml", folder=folder)


def merged_strategically(base: Any, patch: Any) -> Any:
    """As Kubernetes merges a Deployment: lists of named things by name, others are replaced."""
    if isinstance(base, dict) and isinstance(patch, dict):
        return {key: merged_strategically(base[key], patch[key]) if key in base and key in patch else {**base, **patch}[key] for key in {**base, **patch}}
    if isinstance(base, list) and isinstance(patch, list) and all(isinstance(item, dict) and "name" in item for item in base + patch):
        names = [item["name"] for item in patch]
        kept = [item for item in base if item["name"] not in names]
        return kept + [merged_strategically(next((item for item in base if item["name"] == new["name"]), {}), new) for new in patch]
    return patch


def patched_deployment(patch: str) -> dict[str, Any]:
    return merged_strategically(one(read_documents((APP / "app.yaml").read_text()), "Deployment"), yaml.safe_load(patch))


# --- gateway render sidecar ------------------------------------------------------------------------------------------------


def test_a_patched_deployment_is_valid_and_leaves_the_app_alone(tmp_path: pathlib.Path) -> None:
    done = render(tmp_path, "--image", "registry.example.com/tools/gateway:0.1.0")
    assert done.returncode == 0, done.stderr
    deployment = patched_deployment(done.stdout)
    for version in ("1.29", "1.33", "1.37"):
        kubernetes_validate.validate(deployment, version, strict=True)
    spec = deployment["spec"]["template"]["spec"]
    before = one(read_documents((APP / "app.yaml").read_text()), "Deployment")["spec"]["template"]["spec"]
    assert spec["containers"] == before["containers"]
    assert spec["securityContext"] == {**before["securityContext"], "fsGroup": 65532}
    (gateway,) = spec["initContainers"]
    assert gateway["restartPolicy"] == "Always" and gateway["image"] == "registry.example.com/tools/gateway:0.1.0"


def test_it_is_the_container_of_the_chart(tmp_path: pathlib.Path, chart: Chart) -> None:
    image = "registry.example.com/tools/gateway:0.1.0"
    (ours,) = yaml.safe_load(render(tmp_path, "--image", image).stdout)["spec"]["template"]["spec"]["initContainers"]
    deployment = one(chart.render(ROOT / "charts/gateway/ci/sidecar-values.yaml"), "Deployment")
    (theirs,) = deployment["spec"]["template"]["spec"]["initContainers"]
    own = {"env", "volumeMounts"}  # what the configuration refers to is for each to mount
    assert {key: value for key, value in ours.items() if key not in own} == {key: value for key, value in theirs.items() if key not in own}
    assert {mount["mountPath"] for mount in ours["volumeMounts"]} >= {"/etc/gateway"} <= {mount["mountPath"] for mount in theirs["volumeMounts"]}


def test_whatever_the_configuration_refers_to_is_where_it_looks(tmp_path: pathlib.Path) -> None:
    """Also where this machine has none of the secrets."""
    done = render(tmp_path, "--secret", "my-secrets")
    spec = yaml.safe_load(done.stdout)["spec"]["template"]["spec"]
    (gateway,) = spec["initContainers"]
    assert gateway["env"] == [
        {"name": "PUBLIC_URL", "valueFrom": {"secretKeyRef": {"name": "my-secrets", "key": "PUBLIC_URL", "optional": True}}},
        {"name": "ACME_SECRET", "valueFrom": {"secretKeyRef": {"name": "my-secrets", "key": "ACME_SECRET"}}},
    ]
    objects = [{"kind": "ConfigMap", "metadata": {"name": "gateway"}, "data": {"gateway.yaml": CONFIGURATION}}]
    installed = Installed(objects, spec, gateway, tmp_path / "pod")
    file = installed.relocate(gateway["args"][1])
    for path in ("session.key", "old.key"):
        assert (file.parent / path).exists()
    checked = run_command("validate", "--strict", str(file), environment={"ACME_SECRET": session_key()})
    assert checked.returncode == 0, checked.stdout
    for part in ("create secret generic my-secrets --from-literal=ACME_SECRET=…", "--from-file=session.key=…", "--from-file=secret=…", '"value":4180'):
        assert part in done.stderr
    assert "PUBLIC_URL" not in done.stderr, "it has a default"


def test_kustomize_gets_a_component(tmp_path: pathlib.Path) -> None:
    done = render(tmp_path, "--format", "kustomize", "--deployment", "shop", "--service", "shop-web", "--output", "out")
    assert done.returncode == 0 and done.stdout == "", done.stderr
    component = yaml.safe_load((tmp_path / "out/kustomization.yaml").read_text())
    assert component["kind"] == "Component"
    assert component["configMapGenerator"] == [{"name": "gateway", "files": ["gateway.yaml"]}]
    assert {patch["target"]["kind"]: (patch["target"]["name"], patch["path"]) for patch in component["patches"]} == {
        "Deployment": ("shop", "deployment.yaml"),
        "Service": ("shop-web", "service.yaml"),
    }
    assert yaml.safe_load((tmp_path / "out/service.yaml").read_text()) == [{"op": "replace", "path": "/spec/ports/0/targetPort", "value": 4180}]
    assert yaml.safe_load((tmp_path / "out/gateway.yaml").read_text()) == yaml.safe_load(CONFIGURATION)
    # Again over its own files, never over somebody else's.
    assert render(tmp_path, "--format", "kustomize", "--output", "out").returncode == 0
    (tmp_path / "out/service.yaml").write_text("mine\n")
    refused = render(tmp_path, "--format", "kustomize", "--output", "out")
    assert refused.returncode == 1 and "is left alone" in refused.stderr
    assert (tmp_path / "out/service.yaml").read_text() == "mine\n"


RENDER_REFUSALS = {
    "a listener on loopback": (CONFIGURATION.replace('listen: ":4180"', 'listen: "127.0.0.1:4180"'), [], 1, "`server.listen` is a loopback address"),
    "an admin listener on loopback": (CONFIGURATION.replace('admin: { listen: ":9180" }', ""), [], 1, "`admin.listen` is a loopback address"),
    "a configuration with errors": (CONFIGURATION.replace("upstream:", "upsteam:"), [], 1, "error[unknown-key]"),
    "a name that is none": (CONFIGURATION, ["--deployment", "my_app"], 2, "not a name for a Kubernetes object"),
    "an image that would be more": (CONFIGURATION, ["--image", 'a"\n- x'], 2, "not the name of an image"),
    "a form that there is not": (CONFIGURATION, ["--format", "helm"], 2, "helm"),
}


@pytest.mark.parametrize("case", RENDER_REFUSALS)
def test_render_refuses(tmp_path: pathlib.Path, case: str) -> None:
    configuration, options, status, message = RENDER_REFUSALS[case]
    done = render(tmp_path, *options, configuration=configuration)
    assert done.returncode == status and message in done.stderr and done.stdout == ""


@pytest.mark.parametrize("name", ["true", "null", "1234", "a.b-c"])
def test_names_stay_strings_in_yaml(tmp_path: pathlib.Path, name: str) -> None:
    done = render(tmp_path, "--deployment", name)
    assert yaml.safe_load(done.stdout)["metadata"]["name"] == name


def test_a_variable_named_as_a_boolean_stays_a_name(tmp_path: pathlib.Path) -> None:
    """YAML 1.1 reads NO as false, and kubectl reads YAML 1.1."""
    done = render(tmp_path, configuration=CONFIGURATION.replace("${env:ACME_SECRET}", "${env:NO}"))
    (gateway,) = yaml.safe_load(done.stdout)["spec"]["template"]["spec"]["initContainers"]
    assert gateway["env"][1] == {"name": "NO", "valueFrom": {"secretKeyRef": {"name": "gateway-secrets", "key": "NO"}}}


# --- examples/kubernetes ---------------------------------------------------------------------------------------------------


def test_the_component_of_the_example_is_what_the_command_writes(tmp_path: pathlib.Path) -> None:
    shutil.copy(APP / "gateway.yaml", tmp_path / "gateway.yaml")
    done = run_command("render", "sidecar", "--format", "kustomize", "--output", "gateway-sidecar", "gateway.yaml", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    written = {path.name: path.read_text() for path in (tmp_path / "gateway-sidecar").iterdir()}
    assert written == {path.name: path.read_text() for path in (APP / "gateway-sidecar").iterdir()}


def test_the_objects_of_the_examples_are_valid() -> None:
    kustomization = yaml.safe_load((APP / "kustomization.yaml").read_text())
    objects = [item for file in kustomization["resources"] for item in read_documents((APP / file).read_text())]
    objects += read_documents((EXAMPLES / "kubernetes/standalone.yaml").read_text())
    assert len(objects) > 8
    for item in objects:
        for version in ("1.29", "1.37"):
            kubernetes_validate.validate(item, version, strict=True)
    assert kustomization["components"] == ["./gateway-sidecar"]


def test_the_service_and_the_policy_of_the_example_lead_to_the_gateway() -> None:
    deployment = patched_deployment((APP / "gateway-sidecar/deployment.yaml").read_text())
    ports = {port["name"]: port["containerPort"] for container in containers(deployment["spec"]["template"]["spec"]) for port in container.get("ports", [])}
    service = one(read_documents((APP / "app.yaml").read_text()), "Service")
    (operation,) = yaml.safe_load((APP / "gateway-sidecar/service.yaml").read_text())
    service["spec"]["ports"][0]["targetPort"] = operation["value"]
    assert service["spec"]["ports"][0]["targetPort"] == ports["gateway-http"] != ports["http"]
    policy = yaml.safe_load((APP / "network-policy.yaml").read_text())
    assert {port["port"] for rule in policy["spec"]["ingress"] for port in rule["ports"]} == {ports["gateway-http"], ports["gateway-admin"]}
    assert policy["spec"]["podSelector"]["matchLabels"].items() <= deployment["spec"]["template"]["metadata"]["labels"].items()


def test_the_standalone_example_is_the_charts_output(chart: Chart) -> None:
    rendered = chart.render_text(ROOT / "charts/gateway/ci/standalone-values.yaml", release="gateway")
    expected = [item for item in read_documents(rendered) if "helm.sh/hook" not in item["metadata"].get("annotations", {})]
    for item in expected:
        for labels in (item["metadata"]["labels"], item.get("spec", {}).get("template", {}).get("metadata", {}).get("labels", {})):
            labels.pop("helm.sh/chart", None)
            labels.pop("app.kubernetes.io/managed-by", None)
        item["metadata"].pop("namespace")
    path = EXAMPLES / "kubernetes/standalone.yaml"
    text = STANDALONE_HEAD + yaml.dump_all(expected, Dumper=Blocks, sort_keys=False)
    if "--update-examples" in sys.argv:
        path.write_text(text)
    assert path.read_text() == text, "run pytest with --update-examples and look at the difference"


class Blocks(yaml.SafeDumper):
    """Texts of several lines as people write them."""


Blocks.add_representer(str, lambda dumper, text: dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None))

STANDALONE_HEAD = """\
# The gateway in pods of its own, in front of the Service my-app. Rendered from the chart, see README.md; change what is in
# the ConfigMap, and the image.
"""


# --- examples/docker-compose ------------------------------------------------------------------------------------------------

COMPOSE = EXAMPLES / "docker-compose"


@pytest.mark.parametrize("folder", [COMPOSE, COMPOSE / "replicas"], ids=["one", "replicas"])
def test_the_compose_file_is_one(tmp_path: pathlib.Path, folder: pathlib.Path) -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec"]
    done = subprocess.run([*command, str(folder / "compose.yaml")], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    broken = tmp_path / "compose.yaml"
    broken.write_text((folder / "compose.yaml").read_text().replace("read_only:", "readonly:"))
    assert subprocess.run([*command, str(broken)], capture_output=True).returncode == 1


def test_in_compose_nobody_reaches_the_app_past_the_gateway(tmp_path: pathlib.Path) -> None:
    compose = yaml.safe_load((COMPOSE / "compose.yaml").read_text())
    app, gateway = compose["services"]["app"], compose["services"]["gateway"]
    assert "ports" not in app and app["networks"] == ["app"] and compose["networks"]["app"]["internal"] is True
    assert set(gateway["networks"]) == {"app", "edge"}
    for service in (app, gateway):
        assert service["read_only"] and service["cap_drop"] == ["ALL"] and "no-new-privileges:true" in service["security_opt"]
    configuration = yaml.safe_load((COMPOSE / "gateway.yaml").read_text())
    assert gateway["ports"] == ["127.0.0.1:4180:4180"] and configuration["server"]["listen"] == ":4180"
    assert configuration["upstream"] == f"http://app:{app['command'][1]}"
    # The secrets that the configuration reads are those that Compose mounts.
    text = (COMPOSE / "gateway.yaml").read_text()
    read = set(re.findall(r"\$\{file:/run/secrets/([^}]+)\}", text))
    assert read == set(gateway["secrets"]) == set(compose["secrets"])
    for name in read:
        (tmp_path / name).write_text(session_key())
        (tmp_path / name).chmod(0o600)
    (tmp_path / "gateway.yaml").write_text(text.replace("/run/secrets/", f"{tmp_path}/"))
    done = run_command("validate", "--strict", "gateway.yaml", folder=tmp_path, environment={"PUBLIC_URL": "https://app.example.com"})
    assert done.returncode == 0, done.stdout
    assert gateway["configs"][0]["target"] == "/etc/gateway/gateway.yaml"


def test_the_replicas_of_compose_share_a_store_that_nobody_else_reaches(tmp_path: pathlib.Path) -> None:
    """Tests/e2e/test_redis_balancer.py runs the balancer's configuration."""
    folder = COMPOSE / "replicas"
    compose = yaml.safe_load((folder / "compose.yaml").read_text())
    services = compose["services"]
    assert services["gateway-one"] == services["gateway-two"]
    gateway, store, balancer = services["gateway-one"], services["store"], services["balancer"]
    assert [name for name, service in services.items() if "ports" in service] == ["balancer"] and balancer["networks"] == ["edge"]
    assert store["networks"] == ["store"] and compose["networks"]["store"]["internal"] is True and compose["networks"]["app"]["internal"] is True
    for service in services.values():
        assert service["read_only"] and service["cap_drop"] == ["ALL"] and "no-new-privileges:true" in service["security_opt"]
    assert "--appendonly yes" in store["command"][2] and "noeviction" in store["command"][2]
    assert {f"server {name}:4180" in (folder / "nginx.conf").read_text() for name in ("gateway-one", "gateway-two")} == {True}
    text = (folder / "gateway.yaml").read_text()
    read = set(re.findall(r"\$\{file:/run/secrets/([^}]+)\}", text))
    assert read == set(gateway["secrets"]) == set(compose["secrets"]) and set(store["secrets"]) <= read
    for name in read:
        (tmp_path / name).write_text(os.urandom(24).hex() if name == "store.password" else session_key())
        (tmp_path / name).chmod(0o600)
    (tmp_path / "gateway.yaml").write_text(text.replace("/run/secrets/", f"{tmp_path}/"))
    environment = {"PUBLIC_URL": "https://app.example.com", "GATEWAY_REPLICAS": gateway["environment"]["GATEWAY_REPLICAS"]}
    done = run_command("validate", "--strict", "gateway.yaml", folder=tmp_path, environment=environment)
    assert done.returncode == 0, done.stdout
    assert "libhiredis0.14" in (folder / "Dockerfile").read_text()


def test_no_example_runs_as_root() -> None:
    for file in EXAMPLES.rglob("*.yaml"):
        for item in read_documents(file.read_text()) if "kubernetes" in file.parts else []:
            if isinstance(item, dict) and item.get("kind") == "Deployment" and "selector" in item["spec"]:
                for _, spec in pod_specs([item]):
                    assert spec["automountServiceAccountToken"] is False
                    for container in spec["containers"]:
                        assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}


# --- examples/systemd -------------------------------------------------------------------------------------------------------

SYSTEMD = EXAMPLES / "systemd"
UNIT = ROOT / "packaging/systemd/gateway.service"


def credentials() -> dict[str, str]:
    """What systemd hands to the service: by name, the file that it comes from."""
    text = UNIT.read_text() + (SYSTEMD / "gateway.service.d/secrets.conf").read_text()
    return dict(re.findall(r"^LoadCredential=([^:\n]+):(.+)$", text, re.MULTILINE))


def test_the_credentials_of_the_unit_are_those_that_the_configuration_reads(tmp_path: pathlib.Path) -> None:
    text = (SYSTEMD / "gateway.yaml").read_text()
    folder = "/run/credentials/gateway.service"
    assert set(re.findall(rf"{folder}/([\w.]+)", text)) == set(credentials())
    assert all(path.startswith("/etc/gateway/") for path in credentials().values())
    readme = (SYSTEMD / "README.md").read_text()
    assert all(path in readme for path in credentials().values())
    certificate, key = Authority(tmp_path).pem(["app.example.com"])
    for name in credentials():
        (tmp_path / name).write_bytes({"tls.crt": certificate, "tls.key": key}.get(name, session_key().encode()))
        (tmp_path / name).chmod(0o600)
    (tmp_path / "gateway.yaml").write_text(text.replace(folder, str(tmp_path)))
    done = run_command("validate", "--strict", "gateway.yaml", folder=tmp_path)
    assert done.returncode == 0, done.stdout


def test_systemd_reads_the_unit_with_its_drop_in(tmp_path: pathlib.Path) -> None:
    if not shutil.which("systemd-analyze"):
        pytest.skip("no systemd-analyze on this machine")
    for file in UNIT.parent.iterdir():
        (tmp_path / file.name).write_text(file.read_text().replace("/usr/bin/gateway", str(BINARY)))
    shutil.copytree(SYSTEMD / "gateway.service.d", tmp_path / "gateway.service.d")
    environment = {**os.environ, "SYSTEMD_UNIT_PATH": f"{tmp_path}:"}
    done = subprocess.run(["systemd-analyze", "verify", "--man=no", "gateway.service", "gateway.socket"], env=environment, capture_output=True, text=True)
    ours = [line for line in done.stderr.splitlines() if "gateway" in line]
    assert ours == [] and done.returncode == 0, done.stderr
    (tmp_path / "gateway.service.d/secrets.conf").write_text("[Service]\nLoadCredentials=nothing\n")
    done = subprocess.run(["systemd-analyze", "verify", "--man=no", "gateway.service"], env=environment, capture_output=True, text=True)
    assert "LoadCredentials" in done.stderr, "a misspelt key would be noticed"

"""charts/gateway: what it renders, for whom, and what it refuses."""

from __future__ import annotations

import base64
import hashlib
import json
import pathlib
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from typing import Any

import kubernetes_validate
import pytest
import requests
import yaml

from charts import Chart, HelmError, Installed, containers, one, pod_specs, read_documents
from guides import file_block
from parts.gateway import BINARY, ROOT, merged, run_command
from parts.processes import Process, free_port

FOLDER = ROOT / "charts/gateway"
CI = sorted((FOLDER / "ci").glob("*-values.yaml"))
CI_NAMES = [file.name.removesuffix("-values.yaml") for file in CI]
# The oldest that Chart.yaml allows, one in between, the newest that there are schemas for.
KUBERNETES = ("1.27", "1.33", "1.37")
# Not Kubernetes' own, so kubernetes-validate knows no schema; `test_custom_resources_…` looks at them.
CUSTOM = {"Certificate", "Middleware", "SecurityPolicy", "HTTPRoute", "ServiceMonitor", "PodMonitor", "PrometheusRule"}
NATIVE_SIDECARS_SINCE = (1, 29)


def values_of(name: str) -> pathlib.Path:
    return FOLDER / "ci" / f"{name}-values.yaml"


@pytest.fixture(scope="module")
def rendered(chart: Chart) -> dict[str, list[dict[str, Any]]]:
    return {name: chart.render(file) for name, file in zip(CI_NAMES, CI)}


# --- Helm ---------------------------------------------------------------------------------------------------------------


def test_the_helm_binary_is_the_one_that_was_looked_at(chart: Chart) -> None:
    assert chart.command("version", "--template", "{{.Version}}") == "v3.17.3"
    if sys.platform == "linux" and subprocess.run(["uname", "-m"], capture_output=True, text=True).stdout.strip() == "x86_64":
        digest = hashlib.sha256(chart.helm.read_bytes()).hexdigest()
        assert digest == "c16af303055cfe1c1e64652b547cfdbed924e89fd2a20d8632d797978c14def3"


@pytest.mark.parametrize("file", CI, ids=CI_NAMES)
def test_helm_lint_is_content(chart: Chart, file: pathlib.Path) -> None:
    output = chart.command("lint", "--strict", str(FOLDER), "--values", str(file))
    assert "[WARNING]" not in output and "[ERROR]" not in output


def test_helm_lint_reports_nothing_for_default_values(chart: Chart) -> None:
    done = chart.run("lint", "--strict", str(FOLDER))
    assert done.returncode == 0 and done.stderr == ""
    assert done.stdout.split("\n") == [f"==> Linting {FOLDER}", "", "1 chart(s) linted, 0 chart(s) failed", ""]


def test_the_chart_names_its_icon_and_maintainers() -> None:
    described = yaml.safe_load((FOLDER / "Chart.yaml").read_text())
    kind, _, data = described["icon"].partition(",")
    assert kind == "data:image/svg+xml;base64" and ElementTree.fromstring(base64.b64decode(data)).tag.endswith("svg")
    assert all(maintainer["name"] for maintainer in described["maintainers"])


def test_the_default_image_is_the_one_that_make_image_builds(chart: Chart) -> None:
    values = merged(yaml.safe_load(values_of("standalone").read_text()), {"image": None})
    spec = one(chart.render(chart.values_file("default-image", values)), "Deployment")["spec"]["template"]["spec"]
    assert spec["containers"][0]["image"] == "gateway:local"


@pytest.mark.parametrize("version", KUBERNETES)
@pytest.mark.parametrize("file", CI, ids=CI_NAMES)
def test_every_object_is_valid_for_its_kubernetes(chart: Chart, file: pathlib.Path, version: str) -> None:
    values = yaml.safe_load(file.read_text())
    is_native = values.get("mode") in ("sidecar", "library") and values.get("sidecar", {}).get("native", True)
    if is_native and tuple(map(int, version.split("."))) < NATIVE_SIDECARS_SINCE:
        with pytest.raises(HelmError, match="has no native sidecars"):
            chart.render(file, kube_version=f"{version}.0")
        return
    objects = chart.render(file, kube_version=f"{version}.0")
    assert objects
    for item in objects:
        if item["kind"] not in CUSTOM:
            kubernetes_validate.validate(item, version, strict=True)


def test_a_broken_object_would_be_noticed(rendered: dict[str, list[dict[str, Any]]]) -> None:
    deployment = one(rendered["standalone"], "Deployment")
    broken = merged(deployment, {"spec": {"revisonHistoryLimit": 1}})
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(broken, "1.33", strict=True)


@pytest.mark.parametrize("file", CI, ids=CI_NAMES)
def test_rendering_twice_gives_the_same_bytes(chart: Chart, file: pathlib.Path) -> None:
    assert chart.render_text(file) == chart.render_text(file)


def test_a_package_holds_what_an_installation_needs_and_no_more(chart: Chart, tmp_path: pathlib.Path) -> None:
    chart.command("package", str(FOLDER), "--destination", str(tmp_path))
    package = next(tmp_path.glob("*.tgz"))
    listing = subprocess.run(["tar", "tzf", str(package)], capture_output=True, text=True, check=True).stdout.split()
    names = {name.removeprefix("gateway/") for name in listing}
    assert {"Chart.yaml", "values.yaml", "values.schema.json", "README.md", "files/alerts.yaml", "files/dashboard.json"} <= names
    assert not [name for name in names if name.startswith("ci/") or name.endswith(".template")]
    # What was packed renders as what is in the repository.
    assert chart.render_text(values_of("everything"), folder=package) == chart.render_text(values_of("everything"))


def test_versions_agree_with_the_program(chart: Chart) -> None:
    described = yaml.safe_load((FOLDER / "Chart.yaml").read_text())
    assert described["appVersion"] == run_command("--version").stdout.strip()


# --- The configuration ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in CI_NAMES if name != "existing-configmap"])
def test_the_rendered_configuration_passes_the_very_check_that_the_job_runs(
    rendered: dict[str, list[dict[str, Any]]], name: str, tmp_path: pathlib.Path
) -> None:
    objects = rendered[name]
    spec = one(objects, "Job")["spec"]["template"]["spec"]
    (container,) = spec["containers"]
    spec = {**spec, "volumes": [volume for volume in spec["volumes"] if volume["name"].startswith("gateway-")]}
    installed = Installed(objects, spec, container, tmp_path)
    *command, path = container["args"]
    assert command[0] == "validate" and (name == "public" or "--strict" in command)
    done = run_command(*command, str(installed.relocate(path)))
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", [name for name in CI_NAMES if name != "existing-configmap"])
def test_pods_get_the_configuration_that_was_checked(rendered: dict[str, list[dict[str, Any]]], name: str) -> None:
    configurations = [item["data"]["gateway.yaml"] for item in rendered[name] if item["kind"] == "ConfigMap" and "gateway.yaml" in item.get("data", {})]
    assert len(configurations) == 2 and configurations[0] == configurations[1]


def test_what_the_pod_mounts_is_what_the_configuration_refers_to(rendered: dict[str, list[dict[str, Any]]]) -> None:
    for name in ("standalone", "sidecar", "everything", "session-store"):
        objects = rendered[name]
        spec = one(objects, "Deployment")["spec"]["template"]["spec"]
        (gateway,) = [item for item in containers(spec) if item["name"] == "gateway"]
        mounts = {mount["name"]: mount["mountPath"] for mount in gateway["volumeMounts"]}
        mounted = {
            f"{mounts[volume['name']]}/{entry['path']}"
            for volume in spec["volumes"]
            for source in volume.get("projected", {}).get("sources", [])
            for entry in source["secret"]["items"]
        }
        text = next(item["data"]["gateway.yaml"] for item in objects if item["kind"] == "ConfigMap" and "gateway.yaml" in item.get("data", {}))
        store = (yaml.safe_load(text).get("session") or {}).get("store")
        paths = {store["ca"]} if isinstance(store, dict) and "ca" in store else set()
        assert mounted == set(re.findall(r"\$\{file:([^}]+)\}", text)) | paths
        assert f"{mounts['gateway-config']}/gateway.yaml" in gateway["args"]


def test_a_store_shares_sessions_between_replicas_without_an_acknowledgement(chart: Chart) -> None:
    values = yaml.safe_load(values_of("session-store").read_text())
    objects = chart.render(values_of("session-store"))
    assert one(objects, "Deployment")["spec"]["replicas"] == 3 and not values.get("acknowledgeProcessLocalSessions")
    text = next(item["data"]["gateway.yaml"] for item in objects if item["kind"] == "ConfigMap" and "gateway.yaml" in item.get("data", {}))
    assert yaml.safe_load(text)["session"]["store"] == {
        "url": "rediss://gateway:${file:/etc/gateway-secrets/session-store/password}@redis.stores.svc:6380/0",
        "ca": "/etc/gateway-secrets/session-store/ca.crt",
    }
    ports = [port["port"] for port in one(objects, "NetworkPolicy")["spec"]["egress"][1]["ports"]]
    assert ports == [443, 8080, 6380]
    # A mapping keeps its other keys; a Sentinel's password is another entry.
    values["config"]["session"]["store"] = {"url": "redis+sentinel://s1,s2/mymaster", "prefix": "shop:"}
    values["secrets"]["sessionStore"] = {"existingSecret": "s", "sentinelPasswordKey": "sentinel"}
    objects = chart.render(chart.values_file("mapping", values))
    text = next(item["data"]["gateway.yaml"] for item in objects if item["kind"] == "ConfigMap" and "gateway.yaml" in item.get("data", {}))
    assert yaml.safe_load(text)["session"]["store"] == {
        "url": "redis+sentinel://:${file:/etc/gateway-secrets/session-store/password}@s1,s2/mymaster",
        "prefix": "shop:",
        "sentinelPassword": "${file:/etc/gateway-secrets/session-store/sentinel}",
    }


def test_header_templates_and_large_numbers_arrive_as_they_were_written(rendered: dict[str, list[dict[str, Any]]]) -> None:
    data = next(item["data"] for item in rendered["everything"] if item["kind"] == "ConfigMap" and "gateway.yaml" in item.get("data", {}))
    text = data["gateway.yaml"]
    assert yaml.safe_load(text)["identity"]["headers"]["X-Remote-User"] == "{{ username }}"
    assert "connections: 1000000\n" in text


def test_a_pod_starts_and_answers_its_own_probes(chart: Chart, tmp_path: pathlib.Path) -> None:
    """What the chart rendered, served by the program; the kubelet's questions, `helm test`'s, and a drain within the grace period."""
    ports = {"http": free_port(), "admin": free_port()}
    changes = {"containerPorts": ports, "config": {"server": {"timeouts": {"drainDelay": "0s"}}}}
    objects = chart.render(chart.values_file("probed", merged(yaml.safe_load(values_of("standalone").read_text()), changes)))
    spec = one(objects, "Deployment")["spec"]["template"]["spec"]
    (container,) = spec["containers"]
    named = {port["name"]: port["containerPort"] for port in container["ports"]}
    command, path = container["args"]
    file = Installed(objects, spec, container, tmp_path).relocate(path)
    process = Process("pod", [str(BINARY), command, str(file)], tmp_path)

    def asks(probe: str) -> bool:
        question = container[probe]["httpGet"]
        try:
            return requests.get(f"http://127.0.0.1:{named[question['port']]}{question['path']}", timeout=30).status_code == 200
        except requests.ConnectionError:
            return False

    try:
        process.wait_until(lambda: all(map(asks, ("startupProbe", "livenessProbe", "readinessProbe"))), "answer to every probe")
        test = one(objects, "Pod")["spec"]["containers"][0]["args"]
        host = f"{one(objects, 'Service', '-admin')['metadata']['name']}:{ports['admin']}"
        assert run_command(test[0], test[1].replace(host, f"127.0.0.1:{ports['admin']}")).returncode == 0
        target = one(objects, "Service", "r-gateway")["spec"]["ports"][0]["targetPort"]
        assert requests.get(f"http://127.0.0.1:{target}/x", headers={"Accept": "application/json"}, timeout=30).status_code == 401
        assert process.terminate() == 0
    finally:
        process.kill()


def test_a_changed_configuration_restarts_the_pods_unless_they_reload(chart: Chart) -> None:
    def annotations(**changes: Any) -> dict[str, str]:
        values = merged(yaml.safe_load(values_of("standalone").read_text()), changes)
        objects = chart.render(chart.values_file("changed", values))
        return one(objects, "Deployment")["spec"]["template"]["metadata"]["annotations"]

    other = {"config": {"session": {"idleTimeout": "2h"}}}
    assert annotations()["checksum/gateway-config"] != annotations(**other)["checksum/gateway-config"]
    assert annotations(onConfigChange="reload") == annotations(onConfigChange="reload", **other)


# --- The schema of the values ----------------------------------------------------------------------------------------------


def test_generated_files_are_in_step() -> None:
    done = subprocess.run([sys.executable, str(ROOT / "scripts/chart-docs"), "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_schema_of_the_values_holds_the_schema_that_the_program_prints() -> None:
    ours = json.loads((FOLDER / "values.schema.json").read_text())
    theirs = json.loads(run_command("schema").stdout)
    back = json.loads(json.dumps(ours["definitions"]).replace("#/definitions/config.", "#/definitions/"))
    assert back.pop("config") == {key: value for key, value in theirs.items() if key not in ("$schema", "definitions")}
    assert {name.removeprefix("config."): body for name, body in back.items()} == theirs["definitions"]


SCHEMA_REFUSALS = {
    "a typing error in a value": ({"replicacount": 2}, "Additional property replicacount is not allowed"),
    "a typing error in the configuration": ({"config": {"server": {"publicUrl": "https://a.example.com"}}}, "publicUrl is not allowed"),
    "a typing error in a provider": ({"config": {"providers": [{"id": "oidc.a", "client_id": "x"}]}}, "client_id is not allowed"),
    "a mode that there is not": ({"mode": "sidecart"}, "mode"),
    "a port that there is not": ({"service": {"port": 0}}, "service.port: Must be greater than or equal to 1"),
    "a tag in place of a digest": ({"image": {"digest": "1.2"}}, "image.digest: Does not match pattern"),
    "a secret in place of its name": ({"secrets": {"providers": {"oidc.acme": "hunter2"}}}, "Invalid type"),
}


@pytest.mark.parametrize("case", SCHEMA_REFUSALS)
def test_the_schema_refuses(chart: Chart, case: str) -> None:
    values, message = SCHEMA_REFUSALS[case]
    file = chart.values_file("refused", merged(yaml.safe_load(values_of("standalone").read_text()), values))
    with pytest.raises(HelmError) as refusal:
        chart.render_text(file)
    assert "values don't meet the specifications of the schema" in str(refusal.value) and message in str(refusal.value)


REFUSALS = {
    "nothing set": ("", {}, "Nothing is configured yet", "mode: sidecar"),
    "a sidecar without an app": ("sidecar", {"app": {"image": ""}}, "app.image is not set", "image: registry.example.com/my-app:1.4"),
    "an app without a sidecar": ("standalone", {"app": {"image": "registry.example.com/a:1"}}, "only mode: sidecar deploys an app", ""),
    "no session key": ("standalone", {"secrets": {"session": {"existingSecret": ""}}}, "There is no session key", "kubectl create secret generic gateway-session"),
    "two session keys": ("standalone", {"config": {"session": {"keys": ["${env:KEY}"]}}}, "are both set", "Keep one"),
    "a client secret in clear text": (
        "standalone",
        {"config": {"providers": [{"id": "oidc.b", "issuer": "https://b.example.com", "clientID": "b", "clientSecret": "hunter2hunter2"}]}, "secrets": {"providers": None}},
        "the clientSecret of oidc.b in clear text",
        "oidc.b: { existingSecret: my-secret }",
    ),
    "a session key in clear text": (
        "standalone",
        {"config": {"session": {"keys": ["c2Vzc2lvbiBrZXkgdGhhdCBpcyBsb25nIGVub3VnaCE="]}}, "secrets": {"session": {"existingSecret": ""}}},
        "config.session.keys has a key in clear text",
        "openssl rand -base64 32",
    ),
    "a store's password in clear text": (
        "standalone",
        {"config": {"session": {"store": "redis://:hunter2hunter2@redis:6379/0"}}},
        "config.session.store has a password in clear text",
        "sessionStore: { existingSecret: gateway-store }",
    ),
    "a store's password twice": ("session-store", {"config": {"session": {"store": "redis://:${env:P}@redis:6379/0"}}}, "is set twice", "Keep one"),
    "a secret of no store": ("session-store", {"replicaCount": 1, "config": {"session": {"store": "cookie"}}}, "names no store", "store: redis://"),
    "one secret twice": (
        "standalone",
        {"config": {"providers": [{"id": "oidc.acme", "issuer": "https://b.example.com", "clientID": "b", "clientSecret": "${env:S}"}]}},
        "The secret of the provider oidc.acme is set twice",
        "",
    ),
    "a secret of nobody": ("standalone", {"secrets": {"providers": {"oidc.acne": {"existingSecret": "x"}}}}, "secrets.providers names oidc.acne", "it has: oidc.acme"),
    "a listener of one's own": ("standalone", {"config": {"server": {"listen": ":8080"}}}, "config.server.listen is set by the chart", "containerPorts"),
    "an admin listener of one's own": ("standalone", {"config": {"admin": {"listen": ":8080"}}}, "config.admin.listen is set by the chart", "containerPorts"),
    "two monitors": ("standalone", {"serviceMonitor": {"enabled": True}, "podMonitor": {"enabled": True}}, "counted twice", ""),
    "a service monitor without a service": ("library", {"podMonitor": {"enabled": False}, "serviceMonitor": {"enabled": True}}, "podMonitor.enabled instead", ""),
    "fewest above most": ("standalone", {"autoscaling": {"enabled": True, "minReplicas": 4, "maxReplicas": 3}}, "autoscaling.minReplicas (4)", ""),
    "several replicas with sessions of their own": (
        "standalone",
        {"replicaCount": 2},
        "There can be 2 replicas. With session.store: cookie, each replica knows only the sessions that ended on itself",
        "acknowledgeProcessLocalSessions: true",
    ),
    "an autoscaler with sessions of their own": ("sidecar", {"autoscaling": {"enabled": True}}, "There can be 10 replicas", "acknowledgeProcessLocalSessions: true"),
    "several replicas with one file": (
        "standalone",
        {"replicaCount": 2, "acknowledgeProcessLocalSessions": True, "revocations": {"existingClaim": "gateway-state"}},
        "only one gateway can use the file of ended sessions",
        "Set replicaCount: 1",
    ),
    "a file for a configuration of one's own": ("existing-configmap", {"replicaCount": 1, "revocations": {"existingClaim": "gateway-state"}}, "which the chart cannot change", "extraVolumes"),
    "a route of no gateway": ("standalone", {"httpRoute": {"enabled": True}}, "httpRoute.enabled needs the name of a Gateway", "parentRefs"),
    "an ingress without a host": ("public", {"ingress": {"enabled": True}}, "ingress.enabled needs ingress.hosts", ""),
    "two configurations": ("existing-configmap", {"config": {"upstream": "http://a:1"}}, "are both set", "extraVolumes"),
    "two certificates": (
        "standalone",
        {"tls": {"existingSecret": "t"}, "config": {"server": {"tls": {"certificate": "/a", "key": "/b"}}}},
        "two certificates for one listener",
        "",
    ),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_a_refusal_says_what_to_do(chart: Chart, case: str) -> None:
    base, changes, *parts = REFUSALS[case]
    values = merged(yaml.safe_load(values_of(base).read_text()) if base else {}, changes)
    with pytest.raises(HelmError) as refusal:
        chart.render_text(chart.values_file("refused", values))
    message = str(refusal.value)
    for part in parts:
        assert part in message
    assert "hunter2" not in message and "c2Vzc2lvbiBr" not in message
    assert "nil pointer" not in message


# --- Policy ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CI_NAMES)
def test_every_pod_meets_the_restricted_standard_and_more(rendered: dict[str, list[dict[str, Any]]], name: str) -> None:
    for pod, spec in pod_specs(rendered[name]):
        assert spec["automountServiceAccountToken"] is False, pod
        assert spec["enableServiceLinks"] is False, pod
        assert not spec.keys() & {"hostNetwork", "hostPID", "hostIPC"}, pod
        for volume in spec.get("volumes", []):
            assert volume.keys() - {"name"} <= {"configMap", "secret", "projected", "emptyDir"}, (pod, volume)
        for container in containers(spec):
            place = f"{pod} {container['name']}"
            security = container["securityContext"]
            assert security["allowPrivilegeEscalation"] is False, place
            assert security["capabilities"] == {"drop": ["ALL"]}, place
            assert security["runAsNonRoot"] is True, place
            assert security["seccompProfile"] == {"type": "RuntimeDefault"}, place
            assert not security.get("privileged", False), place
            assert container["resources"]["requests"], place
            assert ":latest" not in container["image"] and re.search(r"(:[\w.-]+|@sha256:[0-9a-f]{64})$", container["image"]), place
            assert len({entry["name"] for entry in container.get("env", [])}) == len(container.get("env", [])), place
            if container["name"] != "app":
                assert security["readOnlyRootFilesystem"] is True, place
                assert security["runAsUser"] == security["runAsGroup"] == 65532, place
                assert container["resources"]["limits"]["memory"], place
                assert all(mount.get("readOnly") for mount in container.get("volumeMounts", [])), place


@pytest.mark.parametrize("name", CI_NAMES)
def test_probes_ask_the_admin_port_and_the_app_is_never_served(rendered: dict[str, list[dict[str, Any]]], name: str) -> None:
    objects = rendered[name]
    for item in objects:
        if item["kind"] == "Deployment":
            (gateway,) = [entry for entry in containers(item["spec"]["template"]["spec"]) if entry["name"] == "gateway"]
            for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
                assert gateway[probe]["httpGet"]["port"] == "gateway-admin"
            asked = ["gateway-ask"] if name == "forward-auth" else []
            assert [port["name"] for port in gateway["ports"]] == ["gateway-http", "gateway-admin", *asked]
            assert gateway["livenessProbe"]["httpGet"]["path"] == "/livez"
            assert gateway["readinessProbe"]["httpGet"]["path"] == "/readyz"
        if item["kind"] == "Service":
            # By number: a name could be one of the app's ports as well, and lead past the gateway.
            assert {port["targetPort"] for port in item["spec"]["ports"]} <= {8443 if name == "tls" else 4180, 9180, 4181}
            if {9180, 4181} & {port["targetPort"] for port in item["spec"]["ports"]}:
                assert item["spec"]["type"] == "ClusterIP" and len(item["spec"]["ports"]) == 1


@pytest.mark.parametrize("name", CI_NAMES)
def test_labels_and_selectors(rendered: dict[str, list[dict[str, Any]]], name: str) -> None:
    objects = rendered[name]
    pods = [item["spec"]["template"]["metadata"]["labels"] for item in objects if item["kind"] in ("Deployment", "Job")]
    pods += [item["metadata"]["labels"] for item in objects if item["kind"] == "Pod"]
    for item in objects:
        if item["metadata"]["name"] in ("r-more", "r-gateway-text", "app-example-com"):
            continue
        labels = item["metadata"]["labels"]
        expected = {"helm.sh/chart"} | {f"app.kubernetes.io/{key}" for key in ("name", "instance", "component", "version", "part-of", "managed-by")}
        assert expected <= labels.keys(), item["metadata"]["name"]
        assert item["metadata"]["namespace"] == ("identity" if name == "everything" else "default")
        selector = item["spec"].get("selector") if item["kind"] in ("Deployment", "Service", "PodDisruptionBudget", "PodMonitor") else None
        selector = item["spec"]["podSelector"] if item["kind"] == "NetworkPolicy" else selector
        if selector is None:
            continue
        wanted = selector.get("matchLabels", selector)
        selected = [labels for labels in pods if wanted.items() <= labels.items()]
        # The gateway's own pods, not the Job nor the test; the parent chart's pods in the mode library are not here.
        assert len(selected) == (0 if name == "library" else 1), item["metadata"]["name"]


def test_no_secret_is_rendered(rendered: dict[str, list[dict[str, Any]]]) -> None:
    for objects in rendered.values():
        assert not [item for item in objects if item["kind"] == "Secret"]
        for item in objects:
            if item["kind"] == "ConfigMap" and "gateway.yaml" in item.get("data", {}):
                configuration = yaml.safe_load(item["data"]["gateway.yaml"])
                for provider in configuration.get("providers", []):
                    for key in ("clientSecret", "privateKey"):
                        assert provider.get(key, "${file:").startswith("${file:")


def test_a_native_sidecar_starts_before_the_app_and_a_plain_one_beside_it(rendered: dict[str, list[dict[str, Any]]]) -> None:
    native = one(rendered["sidecar"], "Deployment")["spec"]["template"]["spec"]
    (gateway,) = native["initContainers"]
    assert gateway["name"] == "gateway" and gateway["restartPolicy"] == "Always" and gateway["startupProbe"]
    assert [item["name"] for item in native["containers"]] == ["app"]
    plain = one(rendered["sidecar-plain"], "Deployment")["spec"]["template"]["spec"]
    assert "initContainers" not in plain
    assert [item["name"] for item in plain["containers"]] == ["app", "gateway"]
    assert not any("restartPolicy" in item for item in plain["containers"])


def test_the_network_policy_opens_the_gateways_ports_only(rendered: dict[str, list[dict[str, Any]]]) -> None:
    for name in ("standalone", "sidecar", "everything"):
        policy = one(rendered[name], "NetworkPolicy")["spec"]
        assert {port["port"] for rule in policy["ingress"] for port in rule["ports"]} == {4180, 9180}
        assert all(rule.get("from") for rule in policy["ingress"] if rule["ports"][0]["port"] == 9180)
    egress = one(rendered["everything"], "NetworkPolicy")["spec"]["egress"]
    assert [port["port"] for port in egress[1]["ports"]] == [443, 8080, 80]


@pytest.mark.parametrize(
    ("configuration", "ports"),
    [
        ({"upstream": "http://127.0.0.1:8080"}, [443]),
        ({"upstream": "http://app.default.svc"}, [443, 80]),
        ({"upstream": "https://app.example.com"}, [443]),
        ({"upstream": "h2c://app:50051"}, [443, 50051]),
        ({"upstream": "http://[fd00::1]:8081"}, [443, 8081]),
        ({"upstream": "unix:/run/app.sock"}, [443]),
        ({"upstream": "http://localhost:3000", "session": {"store": "redis://user:${env:PW}@redis:6380/0"}}, [443, 6380]),
        ({"upstream": "http://localhost:3000", "session": {"store": "redis+sentinel://h1:26379,h2/mymaster/0"}}, [443, 26379, 6379]),
        ({"upstream": "http://localhost:3000", "session": {"store": {"url": "rediss+cluster://h1:7001,h2:7002"}}}, [443, 7001, 7002]),
        ({"upstream": "http://localhost:3000", "session": {"store": "redis://u:${file:/run/a/b}@h:6390/1"}}, [443, 6390]),
        ({"upstream": "http://localhost:3000", "session": {"store": "redis+unix:///run/redis/redis.sock"}}, [443]),
    ],
)
def test_egress_knows_the_ports_of_upstreams_and_stores(chart: Chart, configuration: dict[str, Any], ports: list[int]) -> None:
    values = merged(
        yaml.safe_load(values_of("standalone").read_text()), {"config": configuration, "networkPolicy": {"egress": {"enabled": True}}}
    )
    policy = one(chart.render(chart.values_file("egress", values)), "NetworkPolicy")
    assert [port["port"] for port in policy["spec"]["egress"][1]["ports"]] == ports


def test_one_replica_blocks_no_drain_and_several_are_spread(chart: Chart, rendered: dict[str, list[dict[str, Any]]]) -> None:
    assert not [item for item in rendered["standalone"] if item["kind"] == "PodDisruptionBudget"]
    several = rendered["existing-configmap"]
    assert one(several, "PodDisruptionBudget")["spec"]["maxUnavailable"] == 1
    assert len(one(several, "Deployment")["spec"]["template"]["spec"]["topologySpreadConstraints"]) == 2
    scaled = one(rendered["everything"], "Deployment")["spec"]
    assert "replicas" not in scaled, "the autoscaler decides"
    assert one(rendered["everything"], "HorizontalPodAutoscaler")["spec"]["minReplicas"] == 3


def test_the_container_is_told_the_most_replicas_there_can_be(chart: Chart, rendered: dict[str, list[dict[str, Any]]]) -> None:
    def replicas(objects: list[dict[str, Any]], kind: str) -> str | None:
        spec = one(objects, kind)["spec"]["template"]["spec"]
        (container,) = [item for item in containers(spec) if item["name"] in ("gateway", "validate")]
        return next((item["value"] for item in container.get("env", []) if item["name"] == "GATEWAY_REPLICAS"), None)

    assert replicas(rendered["everything"], "Deployment") == "10"
    assert replicas(rendered["everything"], "Job") is None, "acknowledged replicas do not fail the check"
    assert replicas(rendered["existing-configmap"], "Deployment") == "2"
    assert replicas(rendered["standalone"], "Deployment") is None
    base = yaml.safe_load(values_of("standalone").read_text())
    several = chart.render(chart.values_file("several", merged(base, {"replicaCount": 4, "acknowledgeProcessLocalSessions": True})))
    assert replicas(several, "Deployment") == "4"


def test_the_autoscaler_starts_with_one_replica(chart: Chart) -> None:
    assert yaml.safe_load((FOLDER / "values.yaml").read_text())["autoscaling"]["minReplicas"] == 1


def test_a_claim_keeps_the_file_of_revocations_and_pods_are_replaced_one_after_another(chart: Chart) -> None:
    base = yaml.safe_load(values_of("standalone").read_text())
    objects = chart.render(chart.values_file("state", merged(base, {"revocations": {"existingClaim": "gateway-state"}})))
    deployment = one(objects, "Deployment")["spec"]
    assert deployment["strategy"] == {"type": "Recreate"}
    spec = deployment["template"]["spec"]
    assert {"name": "gateway-state", "persistentVolumeClaim": {"claimName": "gateway-state"}} in spec["volumes"]
    assert {"name": "gateway-state", "mountPath": "/var/lib/gateway"} in containers(spec)[0]["volumeMounts"]
    configuration = yaml.safe_load(one(objects, "ConfigMap", "r-gateway")["data"]["gateway.yaml"])
    assert configuration["session"]["revocations"] == "/var/lib/gateway/revocations"
    assert "persistentVolumeClaim" not in str(one(objects, "Job"))
    for item in objects:
        if item["kind"] not in CUSTOM:
            kubernetes_validate.validate(item, "1.33", strict=True)
    by_hand = chart.render(chart.values_file("by-hand", merged(base, {"config": {"session": {"revocations": "/state/revocations"}}})))
    assert one(by_hand, "Deployment")["spec"]["strategy"] == {"type": "Recreate"}


def test_the_drain_has_time_to_end(rendered: dict[str, list[dict[str, Any]]]) -> None:
    spec = one(rendered["standalone"], "Deployment")["spec"]["template"]["spec"]
    timeouts = yaml.safe_load(one(rendered["standalone"], "ConfigMap", "r-gateway")["data"]["gateway.yaml"])["server"]["timeouts"]
    assert timeouts == {"drainDelay": "5s"}
    # And the longest that the gateway waits for requests by default: `server.timeouts.shutdown`.
    assert spec["terminationGracePeriodSeconds"] > 5 + 30
    assert one(rendered["standalone"], "Deployment")["spec"]["strategy"]["rollingUpdate"]["maxUnavailable"] == 0


# --- Custom resources and hooks --------------------------------------------------------------------------------------------


def test_custom_resources_lead_to_the_right_ports(rendered: dict[str, list[dict[str, Any]]]) -> None:
    objects = rendered["everything"]
    route = one(objects, "HTTPRoute")
    assert route["apiVersion"] == "gateway.networking.k8s.io/v1"
    assert route["spec"]["hostnames"] == ["apps.example.com"]
    assert route["spec"]["parentRefs"] == [{"name": "public", "namespace": "infra", "sectionName": "https"}]
    assert route["spec"]["rules"][0]["backendRefs"] == [{"name": "r-gateway", "port": 8443}]

    monitor = one(objects, "ServiceMonitor")
    assert monitor["apiVersion"] == "monitoring.coreos.com/v1" and monitor["metadata"]["labels"]["release"] == "prometheus"
    (endpoint,) = monitor["spec"]["endpoints"]
    assert endpoint["port"] == "admin" and endpoint["path"] == "/metrics" and endpoint["scrapeTimeout"] == "10s"
    admin = one(objects, "Service", "-admin")
    assert monitor["spec"]["selector"]["matchLabels"].items() <= admin["metadata"]["labels"].items()
    assert not monitor["spec"]["selector"]["matchLabels"].items() <= one(objects, "Service", "r-gateway")["metadata"]["labels"].items()
    assert admin["spec"]["ports"][0]["name"] == "admin"

    pods = one(rendered["library"], "PodMonitor")
    assert pods["spec"]["podMetricsEndpoints"][0]["port"] == "gateway-admin"
    assert pods["spec"]["selector"]["matchLabels"]["app.kubernetes.io/component"] == "gateway"


def test_the_ingress_takes_its_host_from_the_public_url(rendered: dict[str, list[dict[str, Any]]]) -> None:
    (rule,) = one(rendered["everything"], "Ingress")["spec"]["rules"]
    assert rule["host"] == "apps.example.com"
    assert rule["http"]["paths"][0]["backend"]["service"] == {"name": "r-gateway", "port": {"name": "http"}}


def test_the_ingress_has_labels_of_its_own(rendered: dict[str, list[dict[str, Any]]]) -> None:
    labels = one(rendered["everything"], "Ingress")["metadata"]["labels"]
    assert labels["example.com/zone"] == "public" and labels["team"] == "identity"


def test_the_services_take_their_network_settings_from_the_values(rendered: dict[str, list[dict[str, Any]]]) -> None:
    service = one(rendered["everything"], "Service", "r-gateway")["spec"]
    assert service["clusterIP"] == "10.96.0.40"
    assert service["sessionAffinity"] == "ClientIP"
    assert service["ipFamilyPolicy"] == "PreferDualStack"
    assert service["ports"][0]["appProtocol"] == "kubernetes.io/ws"
    admin = one(rendered["everything"], "Service", "-admin")["spec"]
    assert admin["ipFamilyPolicy"] == "PreferDualStack"
    assert not admin.keys() & {"clusterIP", "sessionAffinity"} and admin["ports"][0]["appProtocol"] == "http"
    defaults = one(rendered["standalone"], "Service", "r-gateway")["spec"]
    assert not defaults.keys() & {"clusterIP", "sessionAffinity", "ipFamilyPolicy"}
    assert defaults["ports"][0]["appProtocol"] == "http"


@pytest.mark.parametrize("minimum, expected", [("", {"maxUnavailable": 1}), (2, {"minAvailable": 2}), ("50%", {"minAvailable": "50%"})])
def test_a_disruption_budget_has_one_of_two_limits(chart: Chart, minimum: Any, expected: dict[str, Any]) -> None:
    values = merged(yaml.safe_load(values_of("everything").read_text()), {"podDisruptionBudget": {"minAvailable": minimum}})
    budget = one(chart.render(chart.values_file("budget", values)), "PodDisruptionBudget")
    assert {key: budget["spec"][key] for key in budget["spec"].keys() & {"minAvailable", "maxUnavailable"}} == expected
    kubernetes_validate.validate(budget, "1.33", strict=True)


def test_alerts_and_dashboard_are_those_of_observability(rendered: dict[str, list[dict[str, Any]]]) -> None:
    groups = yaml.safe_load((ROOT / "observability/alerts.yaml").read_text())["groups"]
    assert one(rendered["library"], "PrometheusRule")["spec"]["groups"] == groups
    names = [rule.get("alert") for group in one(rendered["everything"], "PrometheusRule")["spec"]["groups"] for rule in group["rules"]]
    assert "GatewaySpoofedIdentity" not in names and "Test" in names and "GatewayReloadFailed" in names
    board = one(rendered["everything"], "ConfigMap", "-dashboard")
    assert json.loads(board["data"]["gateway.json"]) == json.loads((ROOT / "observability/dashboard.json").read_text())
    assert board["metadata"]["labels"]["grafana_dashboard"] == "1"


def test_the_check_runs_before_anything_changes(rendered: dict[str, list[dict[str, Any]]]) -> None:
    objects = rendered["standalone"]
    job, copy = one(objects, "Job"), one(objects, "ConfigMap", "-validate")
    for item in (job, copy):
        assert item["metadata"]["annotations"]["helm.sh/hook"] == "pre-install,pre-upgrade"
    assert int(copy["metadata"]["annotations"]["helm.sh/hook-weight"]) < int(job["metadata"]["annotations"]["helm.sh/hook-weight"])
    spec = job["spec"]["template"]["spec"]
    assert spec["volumes"][0]["configMap"]["name"] == copy["metadata"]["name"]
    assert "serviceAccountName" not in spec, "it is not there yet at the first install"
    assert job["spec"]["backoffLimit"] == 0 and job["spec"]["activeDeadlineSeconds"] == 120


def test_helm_test_asks_the_admin_service(rendered: dict[str, list[dict[str, Any]]]) -> None:
    objects = rendered["standalone"]
    pod = one(objects, "Pod")
    assert pod["metadata"]["annotations"]["helm.sh/hook"] == "test"
    command, url = pod["spec"]["containers"][0]["args"]
    service = one(objects, "Service", "-admin")
    assert command == "healthcheck"
    assert url == f"http://{service['metadata']['name']}:{service['spec']['ports'][0]['port']}/readyz?verbose"


def test_tls_is_mounted_where_the_configuration_looks(rendered: dict[str, list[dict[str, Any]]]) -> None:
    objects = rendered["tls"]
    (gateway,) = one(objects, "Deployment")["spec"]["template"]["spec"]["containers"]
    (folder,) = [mount["mountPath"] for mount in gateway["volumeMounts"] if mount["name"] == "gateway-tls"]
    configuration = yaml.safe_load(next(item["data"]["gateway.yaml"] for item in objects if item["kind"] == "ConfigMap"))
    assert configuration["server"]["tls"] == {"certificate": f"{folder}/tls.crt", "key": f"{folder}/tls.key"}
    assert configuration["server"]["listen"] == ":8443"
    assert one(objects, "Service", "r-gateway")["spec"]["ports"][0]["appProtocol"] == "https"


def test_own_objects_may_hold_templates(rendered: dict[str, list[dict[str, Any]]]) -> None:
    assert one(rendered["everything"], "ConfigMap", "r-more")["data"] == {"word": "1"}
    assert one(rendered["everything"], "ConfigMap", "r-gateway-text")


def test_disabled_renders_nothing(chart: Chart) -> None:
    values = merged(yaml.safe_load(values_of("everything").read_text()), {"enabled": False})
    assert chart.render(chart.values_file("disabled", values)) == []
    assert chart.render(chart.values_file("disabled", {"enabled": False})) == [], "and asks for nothing"


# --- README and notes ------------------------------------------------------------------------------------------------------


README = FOLDER / "README.md"


@pytest.mark.parametrize("name", ["values.yaml", "reports.yaml"])
def test_the_installs_of_the_readme_work(chart: Chart, name: str, tmp_path: pathlib.Path) -> None:
    objects = chart.render(chart.values_file(f"readme-{name}", yaml.safe_load(file_block(README, name))))
    spec = one(objects, "Job")["spec"]["template"]["spec"]
    assert spec["containers"][0]["image"] == "gateway:local"
    installed = Installed(objects, spec, spec["containers"][0], tmp_path)
    done = run_command("validate", "--strict", str(installed.relocate("/etc/gateway/gateway.yaml")))
    assert done.returncode == 0, done.stdout


def parent_chart(chart: Chart, folder: pathlib.Path, values: dict[str, Any], template: str) -> list[dict[str, Any]]:
    """Renders another chart that depends on ours."""
    (folder / "templates").mkdir(parents=True)
    shutil.copytree(FOLDER, folder / "charts/gateway")
    (folder / "Chart.yaml").write_text(file_block(README, "my-app/Chart.yaml"))
    (folder / "values.yaml").write_text(yaml.safe_dump(values))
    (folder / "templates/app.yaml").write_text(template)
    return chart.render(folder=folder, release="shop")


def test_a_parent_chart_includes_the_gateway_as_the_readme_says(chart: Chart, tmp_path: pathlib.Path) -> None:
    values = merged(yaml.safe_load(file_block(README, "my-app/values.yaml")), {"gateway": {"podMonitor": {"enabled": True}}})
    objects = parent_chart(chart, tmp_path / "mine", values, file_block(README, "my-app/templates/app.yaml"))
    for item in objects:
        if item["kind"] not in CUSTOM:
            kubernetes_validate.validate(item, "1.33", strict=True)
    deployment = one(objects, "Deployment")
    assert deployment["metadata"]["name"] == "shop", "the parent's own, and none of ours"
    template = deployment["spec"]["template"]
    (gateway,) = template["spec"]["initContainers"]
    assert gateway["restartPolicy"] == "Always" and gateway["image"] == "gateway:local"
    assert [item["name"] for item in template["spec"]["containers"]] == ["app"]
    assert template["metadata"]["annotations"]["checksum/gateway-config"]
    installed = Installed(objects, template["spec"], gateway, tmp_path / "pod")
    done = run_command("validate", "--strict", str(installed.relocate(gateway["args"][1])))
    assert done.returncode == 0, done.stdout
    assert one(objects, "Service")["spec"]["ports"][0]["targetPort"] == 4180
    monitor = one(objects, "PodMonitor")
    assert monitor["spec"]["selector"]["matchLabels"].items() <= template["metadata"]["labels"].items()


def test_a_parent_chart_can_leave_the_gateway_out(chart: Chart, tmp_path: pathlib.Path) -> None:
    assert parent_chart(chart, tmp_path / "mine", {"gateway": {"enabled": False}}, "") == []


def notes(chart: Chart, folder: pathlib.Path, *files: pathlib.Path) -> str:
    """The text that NOTES.txt renders to. `helm template` does not print it, so a copy of the chart puts it into a ConfigMap."""
    shutil.copytree(FOLDER, folder)
    text = (FOLDER / "templates/NOTES.txt").read_text()
    (folder / "templates/_notes_of_the_test.tpl").write_text(f'{{{{- define "notes" -}}}}{text}{{{{- end -}}}}')
    (folder / "templates/notes.yaml").write_text(
        'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: notes }\ndata:\n  text: |\n{{ include "notes" . | indent 4 }}\n'
    )
    return one(chart.render(*files, folder=folder), "ConfigMap", "notes")["data"]["text"]


@pytest.mark.parametrize("file", CI, ids=CI_NAMES)
def test_the_notes_render_for_every_kind_of_install(chart: Chart, file: pathlib.Path, tmp_path: pathlib.Path) -> None:
    text = notes(chart, tmp_path / "copy", file)
    assert "edirect URI" in text
    assert "<no value>" not in text and "{{" not in text and "%!" not in text
    if yaml.safe_load(file.read_text()).get("mode") != "library":
        assert "helm test r --namespace default" in text


def test_the_notes_print_the_redirect_uris_that_the_program_expects(chart: Chart, tmp_path: pathlib.Path) -> None:
    text = notes(chart, tmp_path / "copy", values_of("everything"))
    for identifier in ("google.com", "github.com~partners", "oidc.acme"):
        assert f"https://apps.example.com:8443/_gateway/callback/{identifier}\n" in text
    assert "https://apps.example.com:8443/_gateway/logged-out" in text
    assert "port-forward service/r-gateway-admin 9180" in text
    assert "trustedProxies is empty" not in text and "not reachable from outside" not in text


def test_the_notes_warn(chart: Chart, tmp_path: pathlib.Path) -> None:
    changes = {"config": {"server": {"trustedProxies": None}}, "networkPolicy": {"enabled": False}, "validate": {"enabled": False}}
    values = merged(yaml.safe_load(values_of("sidecar").read_text()), changes)
    text = notes(chart, tmp_path / "copy", chart.values_file("warned", values))
    for warning in ("trustedProxies is empty", "networkPolicy.enabled is false", "validate.enabled is false", "not reachable from outside"):
        assert warning in text


def test_every_value_of_the_readme_is_one_that_templates_read() -> None:
    """A value that nothing reads would be a promise that nobody keeps."""
    templates = "\n".join(file.read_text() for file in (FOLDER / "templates").rglob("*") if file.is_file())
    for path in re.findall(r"^\| `([\w.]+)` \|", (FOLDER / "README.md").read_text(), re.MULTILINE):
        leaf = path.rsplit(".", 1)[-1]
        assert re.search(rf"\b{leaf}\b", templates), path


# --- Decisions for other proxies ----------------------------------------------------------------------------------------


def test_forward_auth_opens_a_port_of_its_own_and_renders_a_middleware(rendered: dict[str, list[dict[str, Any]]]) -> None:
    objects = rendered["forward-auth"]
    text = next(item for item in objects if item["kind"] == "ConfigMap" and item["metadata"]["name"] == "r-gateway")["data"]["gateway.yaml"]
    configuration = yaml.safe_load(text)
    assert configuration["authorization"] == {"listen": ":4181", "peers": ["10.244.0.0/16"]} and "upstream" not in configuration
    service = next(item for item in objects if item["kind"] == "Service" and item["metadata"]["name"].endswith("-authorization"))
    assert (service["spec"]["type"], service["spec"]["ports"][0]["targetPort"]) == ("ClusterIP", 4181)
    published = next(item for item in objects if item["kind"] == "Service" and item["metadata"]["name"] == "r-gateway")
    assert [port["port"] for port in published["spec"]["ports"]] == [80]
    rules = one(objects, "NetworkPolicy")["spec"]["ingress"]
    asked = next(rule for rule in rules if rule["ports"][0]["port"] == 4181)
    assert asked["from"] == [{"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "traefik"}}}]
    forward = one(objects, "Middleware")["spec"]["forwardAuth"]
    name, namespace = service["metadata"]["name"], service["metadata"]["namespace"]
    assert forward["address"] == f"http://{name}.{namespace}.svc:4181/forward" and forward["trustForwardHeader"] is False
    assert {"X-Forwarded-User", "X-Forwarded-Email", "X-Gateway-Assertion"} <= set(forward["authResponseHeaders"])
    pattern = re.compile(forward["authResponseHeadersRegex"])
    spellings = ("X_Forwarded_User", "x.forwarded-email", "REMOTE_USER", "X-Webauth-User", "X~Gateway~Assertion")
    for header in (*spellings, *forward["authResponseHeaders"]):
        assert pattern.match(header), header
    for header in ("X-Forwarded-For", "X-Forwarded-Proto", "Cookie", "Remote-Addr"):
        assert not pattern.match(header), header


def test_forward_auth_renders_a_security_policy_or_annotations(chart: Chart, tmp_path: pathlib.Path) -> None:
    refs = [{"group": "gateway.networking.k8s.io", "kind": "HTTPRoute", "name": "my-app"}]
    envoy = chart.values_file("envoy", {"forwardAuth": {"proxy": "envoy-gateway", "targetRefs": refs}})
    objects = chart.render(values_of("forward-auth"), envoy)
    policy = one(objects, "SecurityPolicy")["spec"]
    assert policy["targetRefs"] == refs
    assert policy["extAuth"]["failOpen"] is False
    assert policy["extAuth"]["grpc"]["backendRefs"] == [{"name": "r-gateway-authorization", "port": 4181}]
    assert not [item for item in objects if item["kind"] == "Middleware"]
    nginx = chart.values_file("nginx", {"forwardAuth": {"proxy": "ingress-nginx"}})
    text = notes(chart, tmp_path / "copy", values_of("forward-auth"), nginx)
    assert "auth-url: http://r-gateway-authorization.default.svc.cluster.local:4181/nginx\n" in text
    assert "auth-signin: https://app.example.com/_gateway/login?rd=$escaped_request_uri\n" in text
    assert "\n  if ($host != $http_host) { return 400; }\n" in text


@pytest.mark.parametrize(
    "values, message",
    [
        ({"forwardAuth": {"peers": []}}, "forwardAuth.peers is empty"),
        ({"forwardAuth": {"proxy": "envoy-gateway"}}, "forwardAuth.targetRefs is empty"),
        ({"mode": "library"}, "forwardAuth needs a Service"),
        ({"existingConfigMap": "mine"}, "which the chart cannot change"),
    ],
)
def test_forward_auth_refuses_what_cannot_work(chart: Chart, values: dict[str, Any], message: str) -> None:
    with pytest.raises(HelmError, match=re.escape(message)):
        chart.render(values_of("forward-auth"), chart.values_file("wrong", values))

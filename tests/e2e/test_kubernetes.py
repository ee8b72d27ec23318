"""server/deployment/kubernetes: by the schemas of Kubernetes, by what its parts say of each other, by the program, which
runs as it stands there, and by a rolling update as Kubernetes makes it, which no caller notices."""

import copy
import http.client
import os
import random
import re
import signal
import subprocess
import time
import urllib.request

import pytest
from support import postgres
from support.freshet import program
from support.meanwhile import status_of, told_meanwhile
from support.ports import free_port
from support.reach import ROOT, need_module
from support.waiting import wait_until

FOLDER = ROOT / "server/deployment/kubernetes"
DATA, SECRET = "/var/lib/freshet", "/secret"
# The oldest that is looked after, and the newest that the package knows.
VERSIONS = ("1.33", None)


def documents(name):
    yaml = need_module("yaml", "PyYAML is not installed")
    return list(yaml.safe_load_all((FOLDER / name).read_text()))


def of_kind(kind, name="freshet.yaml"):
    return next(one for one in documents(name) if one["kind"] == kind)


def pod():
    return of_kind("Deployment")["spec"]["template"]


def container():
    return pod()["spec"]["containers"][0]


@pytest.mark.parametrize("version", VERSIONS)
def test_every_part_is_as_kubernetes_wants_it(version):
    checker = need_module("kubernetes_validate", "kubernetes-validate is not installed")
    version = version or checker.latest_version()
    told = [one for name in ("freshet.yaml", "secrets.yaml") for one in documents(name)]
    assert [one["kind"] for one in told] == [
        "Service", "Deployment", "PodDisruptionBudget", "HorizontalPodAutoscaler", "Secret", "Secret"]
    for one in told:
        checker.validate(one, version, strict=True)
    wrong = copy.deepcopy(of_kind("Deployment"))
    wrong["spec"]["template"]["spec"]["containers"][0]["readinesProbe"] = {}
    with pytest.raises(checker.ValidationError):
        checker.validate(wrong, version, strict=True)


def test_the_parts_name_each_other():
    deployment, labels = of_kind("Deployment"), pod()["metadata"]["labels"]
    name = deployment["metadata"]["name"]
    for selector in (of_kind("Service")["spec"]["selector"], deployment["spec"]["selector"]["matchLabels"],
                     of_kind("PodDisruptionBudget")["spec"]["selector"]["matchLabels"],
                     pod()["spec"]["topologySpreadConstraints"][0]["labelSelector"]["matchLabels"]):
        assert selector.items() <= labels.items()
    ports = {one["name"]: one["containerPort"] for one in container()["ports"]}
    assert all(one["targetPort"] in ports for one in of_kind("Service")["spec"]["ports"])
    assert all(container()[probe]["httpGet"]["port"] in ports
               for probe in ("startupProbe", "livenessProbe", "readinessProbe"))
    assert pod()["metadata"]["annotations"]["prometheus.io/port"] == str(ports["operations"])
    scaler = of_kind("HorizontalPodAutoscaler")["spec"]
    assert (scaler["scaleTargetRef"]["kind"], scaler["scaleTargetRef"]["name"]) == ("Deployment", name)
    # A share of what is asked for: where nothing is, there is no such metric.
    assert [one["resource"]["name"] for one in scaler["metrics"]] == ["cpu"] and "cpu" in container()["resources"]["requests"]
    # The autoscaler says how many, and one may always go.
    assert "replicas" not in deployment["spec"] and scaler["minReplicas"] > of_kind("PodDisruptionBudget")["spec"]["maxUnavailable"]
    secrets = {one["metadata"]["name"]: one["stringData"] for one in documents("secrets.yaml")}
    wanted = [one["secretRef"]["name"] for one in container()["envFrom"]]
    wanted += [one["secret"]["secretName"] for one in pod()["spec"]["volumes"] if "secret" in one]
    assert sorted(wanted) == sorted(secrets) and "pepper" in secrets["freshet-pepper"]
    mounted = {one["name"] for part in (*pod()["spec"]["initContainers"], container()) for one in part["volumeMounts"]}
    assert mounted == {one["name"] for one in pod()["spec"]["volumes"]}
    # The image's user and ports are those of the image.
    image = (ROOT / "server/deployment/Containerfile").read_text()
    assert set(re.findall(r"LISTEN=0\.0\.0\.0:(\d+)", image)) == {str(one) for one in ports.values()}
    limits = {one["name"]: one["value"] for one in container()["env"]}
    sleep = int(container()["lifecycle"]["preStop"]["exec"]["command"][1])
    assert pod()["spec"]["terminationGracePeriodSeconds"] > sleep + int(limits["FRESHET__SERVER__DRAIN_TIMEOUT_S"])
    update = deployment["spec"]["strategy"]["rollingUpdate"]
    assert update["maxUnavailable"] == 0 and update["maxSurge"] > 0


class Pod:
    """What a kubelet makes of the template, with paths and ports of this machine."""

    def __init__(self, folder, url, pepper, settings):
        self.data = folder / "data"
        self.data.mkdir(parents=True)
        self.data.chmod(0o777)  # an emptyDir
        (folder / "secret").mkdir()
        (folder / "secret" / "pepper").write_text(pepper)
        paths = {DATA: str(self.data), SECRET: str(folder / "secret")}
        for one in pod()["spec"]["initContainers"]:
            subprocess.run([self.here(part, paths) for part in one["command"]], check=True)
        told = {one["name"]: self.here(one["value"], paths) for one in container()["env"]}
        told |= next(one["stringData"] for one in documents("secrets.yaml") if "pepper" not in one["stringData"])
        assert set(told) >= {"FRESHET__STORAGE__DATABASE", "FRESHET__SERVER__LISTEN"}
        told["FRESHET__STORAGE__DATABASE"] = url
        self.ports = {}
        for one in container()["ports"]:
            self.ports[one["name"]] = free_port()
            before = len([value for value in told.values() if value.endswith(f":{one['containerPort']}")])
            assert before == 1
            told = {name: re.sub(rf"^0\.0\.0\.0:{one['containerPort']}$", f"127.0.0.1:{self.ports[one['name']]}", value)
                    for name, value in told.items()}
        kept = {name: value for name, value in os.environ.items() if not name.startswith("FRESHET_")}
        with open(folder / "log", "w") as log:
            self.process = subprocess.Popen([program(), *container()["args"]], env={**kept, **told, **settings}, cwd="/",
                                            stdout=subprocess.DEVNULL, stderr=log)

    @staticmethod
    def here(text, paths):
        for before, after in paths.items():
            text = text.replace(before, after)
        return text

    def passes(self, probe):
        get = container()[probe]["httpGet"]
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.ports[get['port']]}{get['path']}", timeout=10) as told:
                return told.status == 200
        except (OSError, http.client.HTTPException):
            return False

    def run(self, *arguments, url):
        return subprocess.run([program(), *arguments, "--data", self.data, "--set", f"storage.database={url}"], check=True,
                              capture_output=True, text=True).stdout.strip()


@pytest.fixture
def start(tmp_path, database, book):
    """start() makes one more pod of the template, over one book."""
    url, started = database.url.replace("/postgres", "/" + book), []
    settings = {"FRESHET__NETWORK__ALLOW_PRIVATE": "127.0.0.0/8", "FRESHET__SCRAPE__ALLOW_PRIVATE": "127.0.0.0/8",
                "FRESHET__PLANS__FREE__RATE": "100000", "FRESHET__PLANS__FREE__BURST": "100000",
                "FRESHET__PLANS__FREE__MONTHLY_CREDITS": "1000000"}

    def begin():
        started.append(Pod(tmp_path / f"pod{len(started)}", url, "7" * 64, settings))
        return started[-1]

    begin.url = url
    yield begin
    for one in started:
        if one.process.poll() is None:
            one.process.terminate()
            one.process.wait(60)


def test_a_rolling_update_fails_no_call(start, pages):
    """One more is started; when it is ready one goes: it is taken out of the endpoints, which callers hear of a moment
    later, and ended when preStop is over."""
    lag_s, stop_s = 0.5, 1.5  # of 10 s
    pods = [start() for _ in range(2)]
    for one in pods:
        wait_until(lambda at=one: all(at.passes(probe) for probe in ("startupProbe", "livenessProbe", "readinessProbe")))
    pods[0].run("accounts", "create", "a@example.org", url=start.url)
    key = pods[0].run("keys", "create", "a@example.org", url=start.url)
    endpoints = [one.ports["http"] for one in pods]

    def status(port, endpoint, **parameters):
        return status_of(f"http://127.0.0.1:{port}", key, endpoint, **parameters)

    def call_on(is_over):
        told, seen, heard_at = [], list(endpoints), time.monotonic()
        while not is_over.is_set():
            if time.monotonic() - heard_at > lag_s:
                seen, heard_at = list(endpoints), time.monotonic()
            told.append(status(random.choice(seen), "scrape/markdown", url=pages))
        return told

    def replace_all():
        for old in pods:
            replace(old)

    def replace(old):
        new = start()
        wait_until(lambda: new.passes("readinessProbe"))
        endpoints.append(new.ports["http"])
        endpoints.remove(old.ports["http"])
        time.sleep(stop_s)
        old.process.send_signal(signal.SIGTERM)
        assert old.process.wait(60) == 0

    wait_until(lambda: all(status(port, "account/show") == 200 for port in endpoints))
    told = told_meanwhile(call_on, replace_all)
    assert set(told) == {200}, [one for one in told if one != 200][:5]

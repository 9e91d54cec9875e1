"""What an operator copies: held by the programs that will read it, and against what the site has."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.test import Client

from tests.servers import ROOT

from .parts import nginx_files, program

DEPLOY = ROOT / "deploy"
METRIC = re.compile(r"\bhotelsite_\w+")
VARIABLE = re.compile(r"^([A-Z_]+)=", re.MULTILINE)


def _passes(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def _text(name: str) -> str:
    return (DEPLOY / name).read_text(encoding="utf-8")


def _guide(section: str = "") -> str:
    """What docs/deploying.md says from these words on."""
    guide = (ROOT / "docs" / "deploying.md").read_text(encoding="utf-8")
    return guide[guide.index(section) :]


def _commands(section: str) -> str:
    return _guide(section).partition("```sh\n")[2].partition("```")[0]


@pytest.mark.parametrize("cache", [False, True])
def test_nginx_takes_its_files(tmp_path: Path, cache: bool) -> None:
    main = nginx_files(tmp_path, 1443, 8001, 8002, plain_port=1080, cache=cache)
    _passes(program("nginx"), "-t", "-c", str(main), "-p", str(tmp_path), "-e", str(tmp_path / "error.log"))


def test_nginx_limits_every_way_to_the_site() -> None:
    locations = re.findall(r"location [^{}]+\{[^{}]*\}", _text("nginx.conf"))
    leading = [one for one in locations if "proxy_pass" in one]
    assert len(leading) == 2
    assert all("limit_req zone=hotels_requests" in one for one in leading)


def test_systemd_takes_its_units(tmp_path: Path) -> None:
    here = Path(sys.executable).parent
    units = sorted([*DEPLOY.glob("*.service"), *DEPLOY.glob("*.socket"), *DEPLOY.glob("*.timer")])
    for unit in units:
        text = unit.read_text(encoding="utf-8").replace("/srv/hotels/current/.venv/bin", str(here))
        (tmp_path / unit.name).write_text(text)
    _passes(program("systemd-analyze"), "verify", "--man=no", *(str(tmp_path / unit.name) for unit in units))


def test_prometheus_takes_its_files(tmp_path: Path) -> None:
    token = tmp_path / "hotels.token"
    token.write_text("token")
    shutil.copy(DEPLOY / "alerts.yml", tmp_path)
    (tmp_path / "prometheus.yml").write_text(
        _text("prometheus.yml").replace("/etc/prometheus/hotels.token", str(token))
    )
    _passes(program("promtool"), "check", "config", str(tmp_path / "prometheus.yml"))


def test_alerts_go_off_when_they_should_and_not_before() -> None:
    _passes(program("promtool"), "test", "rules", str(Path(__file__).with_name("alerts.test.yml")))


def test_every_alert_is_tried() -> None:
    rules = yaml.safe_load(_text("alerts.yml"))["groups"][0]["rules"]
    tried = yaml.safe_load(Path(__file__).with_name("alerts.test.yml").read_text())["tests"]
    names = {check["alertname"] for one in tried for check in one["alert_rule_test"]}
    assert names == {rule["alert"] for rule in rules}


@pytest.mark.parametrize("name", ["alerts.yml", "grafana.json"])
def test_alerts_and_dashboard_ask_for_metrics_that_exist(name: str, settings: Any, tmp_path: Path) -> None:
    settings.METRICS_TOKEN = "token"
    # The cache of one machine, which has figures of its own.
    file = {"BACKEND": "hotelsite.file_cache.FileCache", "LOCATION": str(tmp_path / "cache")}
    settings.CACHES = {"default": {**file, "OPTIONS": {"MAX_BYTES": settings.CACHE_MAX_BYTES}}}
    text = Client().get("/metrics", headers={"authorization": "Bearer token"}).text
    exposed = {line.split()[2] for line in text.splitlines() if line.startswith("# TYPE")}
    assert {one.removesuffix("_bucket") for one in METRIC.findall(_text(name))} <= exposed


def test_the_panels_of_the_dashboard_have_places_of_their_own() -> None:
    panels = json.loads(_text("grafana.json"))["panels"]
    assert len({(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in panels}) == len(panels) > 0


def test_the_first_failure_is_on_the_dashboard(tmp_path: Path) -> None:
    panels = json.loads(_text("grafana.json"))["panels"]
    (panel,) = [one for one in panels if one["title"] == "Turned away, and 500s"]
    # A count that has only just begun has not increased.
    began = [
        {"series": f"hotelsite_http_requests_total{{{labels}}}", "values": "_x9 3x9"}
        for labels in ('view="results", status="500"', 'view="refused", status="503"')
    ]
    shown = [
        {
            "expr": f"{target['expr']} > 0",
            "eval_time": "12m",
            "exp_samples": [{"value": 0.01, "labels": "{}"}],
        }
        for target in panel["targets"]
    ]
    tried = {"tests": [{"interval": "1m", "input_series": began, "promql_expr_test": shown}]}
    (tmp_path / "test.yml").write_text(yaml.safe_dump(tried))
    _passes(program("promtool"), "test", "rules", str(tmp_path / "test.yml"))


def test_the_environment_file_sets_variables_that_are_read() -> None:
    known = set(VARIABLE.findall((ROOT / ".env.example").read_text(encoding="utf-8")))
    assert set(VARIABLE.findall(_text("hotels.env"))) - known == {"WEB_CONCURRENCY"}


def test_containers_get_files_and_variables_that_exist() -> None:
    compose = yaml.safe_load(_text("compose.yaml"))
    site = compose["services"]["site"]
    known = set(VARIABLE.findall((ROOT / ".env.example").read_text(encoding="utf-8")))
    assert set(site["environment"]) <= known
    assert (DEPLOY / site["env_file"]).exists()
    assert (DEPLOY / site["build"]["context"] / site["build"]["dockerfile"]).exists()
    copied = [
        part
        for line in _text("Containerfile").splitlines()
        if line.startswith("COPY")
        for part in line.split()[1:-1]
    ]
    assert copied
    assert all((ROOT / part).exists() for part in copied)


def test_each_command_for_the_containers_finds_what_they_require() -> None:
    steps = _commands("## With containers").splitlines()
    commands = [number for number, step in enumerate(steps) if "podman compose" in step]
    required = set(re.findall(r"\$\{(\w+):\?\}", _text("compose.yaml")))
    kept = re.findall(r'echo "(\w+)=.*> deploy/\.env\b', "\n".join(steps[: commands[0]]))
    assert required == set(kept)
    assert all(steps[number].startswith("podman ") for number in commands)


def test_another_version_of_the_containers_is_built() -> None:
    section = _guide("## With containers").partition("\n## ")[0]
    assert "build" in yaml.safe_load(_text("compose.yaml"))["services"]["site"]
    assert re.search(r"^git .*checkout .* && podman compose .* up -d --build$", section, re.MULTILINE)


def test_the_release_script_is_a_script() -> None:
    _passes("bash", "-n", str(DEPLOY / "release.sh"))


def test_the_sites_user_does_not_own_what_root_runs() -> None:
    # adduser gives it this folder.
    (home,) = re.findall(r"^adduser --system .*--home (\S+) hotels$", _guide(), re.MULTILINE)
    (release,) = re.findall(r"^release=(\S+)$", _text("release.sh"), re.MULTILINE)
    assert not Path(release).is_relative_to(home)


def test_the_keys_are_read_by_the_sites_user_alone() -> None:
    """The user of nginx is in its group."""
    assert "adduser www-data hotels" in _guide()
    put = re.findall(r"^(?:install|scp) .*(?: |:)/etc/hotels/(?:hotels\.env)?\b.*$", _guide(), re.MULTILINE)
    by_hand = [line for line in put if "<(" not in line and "-D" not in line]
    assert len(by_hand) == 2
    for line in by_hand:
        assert re.search(r"-m 0600 -o hotels |chown hotels .*chmod 600 ", line)


def test_a_release_repairs_a_half_made_environment(tmp_path: Path) -> None:
    (tmp_path / ".venv").mkdir()
    (step,) = re.findall(r"^.* -m venv \.venv$", _text("release.sh"), re.MULTILINE)
    _passes("bash", "-c", f"cd {tmp_path} && {step.replace('/usr/bin/python3', sys.executable)}")
    assert (tmp_path / ".venv/bin/pip").exists()


def test_the_way_back_has_all_steps_of_a_release() -> None:
    steps = _text("release.sh").partition("as_hotels check_gateway")[2].partition("\n")[2]
    way_back = _commands("Back then goes without it")
    for step in re.findall(r"^(?:as_hotels )?([^#\n].*)$", steps, re.MULTILINE):
        assert step.replace("$release", "/srv/hotels/releases/v1.0.0").replace('"', "") in way_back


def test_a_release_migrates_before_it_asks_the_gateway() -> None:
    steps = re.findall(r"^as_hotels (\w+)", _text("release.sh"), re.MULTILINE)
    assert steps == ["check", "migrate", "check_gateway", "collectstatic"]


@pytest.mark.parametrize(("given", "asked"), [("", "Barcelona"), ("'New York'", "New York")])
def test_a_release_asks_for_hotels_where_the_gateway_has_some(given: str, asked: str) -> None:
    (arguments,) = re.findall(r"^repository=.*$", _text("release.sh"), re.MULTILINE)
    (question,) = re.findall(r"^as_hotels check_gateway.*$", _text("release.sh"), re.MULTILINE)
    script = f"as_hotels() {{ printf '%s|' \"$@\"; }}; {arguments}; {question}"
    said = subprocess.run(
        ["bash", "-c", f'set -- "$1" "$2" {given}; {script}', "release.sh", "repository", "v1.0.0"],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    assert said == f"check_gateway|--place|{asked}|"


def test_a_backup_with_every_key_in_it_is_for_nobody_else(tmp_path: Path) -> None:
    script = _commands("## Back up and restore").replace("runuser -u postgres -- pg_dump", "echo")
    for ours, other in (("etc/hotels", "etc/hostname"), ("/var/backups", f"{tmp_path}/backups")):
        script = script.replace(ours, other)
    (tmp_path / "backups").mkdir(mode=0o755)
    _passes("bash", "-euc", f"umask 022\n{script.replace('/var/lib/hotels/media', '')}")
    kept = [path for path in (tmp_path / "backups").rglob("*") if path.is_file()]
    assert len(kept) == 2
    for path in kept:
        assert not (path.stat().st_mode & path.parent.stat().st_mode & 0o077), path


def test_a_restored_backup_is_migrated_first() -> None:
    steps = re.findall(
        r"RENAME TO hotels\b|manage\.py migrate|systemctl start", _commands("Into an empty database")
    )
    assert steps == ["RENAME TO hotels", "manage.py migrate", "systemctl start"]

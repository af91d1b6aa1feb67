"""The wheel is all that a user gets: it must hold everything, work without Node, and hold nothing else."""

import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
from email.parser import Parser
from pathlib import Path
from zipfile import ZipFile

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
VERSION: str = json.loads((ROOT / "package.json").read_text())["version"]
LAB = f"skyline_jupyter-{VERSION}.data/data/share/jupyter/labextensions/skyline-jupyter"
COLOUR = re.compile(r"\x1b\[\d*m")

# Building takes an npm installation of its own.
pytestmark = [pytest.mark.slow]


@pytest.fixture(scope="module")
def wheel_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built from the sdist, that is from a copy that holds nothing built before."""
    dist = tmp_path_factory.mktemp("dist")
    # What `make` has just fetched need not be fetched again.
    environment = os.environ | {"npm_config_prefer_offline": "true"}
    run([sys.executable, "-m", "build", "--outdir", str(dist), str(ROOT)], env=environment)
    (wheel,) = dist.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def contents(wheel_path: Path) -> dict[str, bytes]:
    with ZipFile(wheel_path) as wheel:
        return {name: wheel.read(name) for name in wheel.namelist()}


@pytest.fixture(scope="module")
def user_python(wheel_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment that holds the wheel and, by reference, the packages it depends on."""
    home = tmp_path_factory.mktemp("user") / "venv"
    venv.create(home, with_pip=False)
    python = home / "bin" / "python"
    run([sys.executable, "-m", "pip", "--python", str(python), "install", "--no-deps", "--no-index", str(wheel_path)])
    # Files named *.pth are not read in a folder added this way, so the editable installation stays out of sight.
    (site_packages,) = home.glob("lib/python*/site-packages")
    (site_packages / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    return python


def test_it_holds_every_module_and_no_other_source(contents: dict[str, bytes]) -> None:
    shipped = {name for name in contents if name.startswith("skyline_jupyter/") and name.endswith(".py")}
    assert shipped == {str(path.relative_to(ROOT)) for path in (ROOT / "skyline_jupyter").rglob("*.py")}
    assert "skyline_jupyter/py.typed" in contents
    assert [name for name in contents if name.endswith((".ts", ".tsx", ".map"))] == []
    assert [name for name in contents if not name.startswith("skyline_jupyter")] == []


def test_it_holds_the_widget(contents: dict[str, bytes]) -> None:
    assert all(contents[f"skyline_jupyter/static/{name}"] for name in ("widget.js", "widget.css"))


def test_the_widgets_module_is_small_enough_to_travel_with_every_widget(contents: dict[str, bytes]) -> None:
    module = contents["skyline_jupyter/static/widget.js"]
    assert len(module) <= 150_000
    assert len(gzip.compress(module)) <= 50_000


def test_it_holds_the_lab_extension_once(contents: dict[str, bytes]) -> None:
    package = json.loads(contents[f"{LAB}/package.json"])
    entry = package["jupyterlab"]["_build"]["load"]
    assert [name for name in contents if "remoteEntry" in name] == [f"{LAB}/{entry}"]
    assert json.loads(contents[f"{LAB}/install.json"])["packageName"] == "skyline-jupyter"


def test_it_names_no_path_of_the_machine_that_built_it(contents: dict[str, bytes], wheel_path: Path) -> None:
    local = [f"{place}/".encode() for place in (ROOT, wheel_path.parents[1], sys.prefix, Path.home())]
    assert [(name, place) for name, content in contents.items() for place in local if place in content] == []


def test_its_dependencies_have_no_upper_bound(contents: dict[str, bytes]) -> None:
    metadata = Parser().parsestr(contents[f"skyline_jupyter-{VERSION}.dist-info/METADATA"].decode())
    requirements = [Requirement(text) for text in metadata.get_all("Requires-Dist", [])]
    assert {requirement.name for requirement in requirements} >= {"torch", "jupyterlab", "anywidget"}
    assert {bound.operator for requirement in requirements for bound in requirement.specifier} == {">="}
    assert str(metadata["Requires-Python"]) == ">=3.10"


def test_jupyterlab_takes_the_extension_where_there_is_no_node(user_python: Path, tmp_path: Path) -> None:
    listed = run_as_user(user_python, tmp_path, "-m", "jupyterlab.labextensions", "list")
    (line,) = [line.strip() for line in COLOUR.sub("", listed).splitlines() if "skyline-jupyter" in line]
    assert line == f"skyline-jupyter v{VERSION} enabled OK (python, skyline-jupyter)"


def test_the_installed_package_is_what_is_imported(user_python: Path, tmp_path: Path) -> None:
    code = "import skyline_jupyter; print(skyline_jupyter.__version__, skyline_jupyter.__file__)"
    version, place = run_as_user(user_python, tmp_path, "-c", code).split()
    assert version == VERSION
    assert Path(place).is_relative_to(user_python.parents[1])


def run_as_user(python: Path, folder: Path, *arguments: str) -> str:
    """Run in an environment with nothing on the PATH but Python, and none of this machine's Jupyter settings."""
    path = str(python.parent)
    assert shutil.which("node", path=path) is None
    places = {name: str(folder / name) for name in ("HOME", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR")}
    return run([str(python), *arguments], cwd=folder, env={"PATH": path, "JUPYTER_NO_CONFIG": "1", **places})


def run(command: list[str], cwd: Path = ROOT, env: dict[str, str] | None = None) -> str:
    """What the command wrote; a failure shows it all."""
    done = subprocess.run(
        command, cwd=cwd, env=env, check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    assert done.returncode == 0, done.stdout
    return done.stdout

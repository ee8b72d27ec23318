"""What MathJax draws is read as what it says: each formula in MathML beside it as CommonHTML and as a
picture, without MathML."""

import gzip
import html
import json
import pathlib
import re
import subprocess

import pytest
from support.npm import installed
from support.reach import need_program, need_shared

HERE = pathlib.Path(__file__).parent / "mathjax"
FORMULAS = [
    "x^2", "x_i", "x_i^2", r"\frac{a+b}{c}", r"\sqrt{x}", r"\sqrt[3]{x+1}", r"\sum_{i=1}^n i",
    r"\int_0^\infty e^{-x^2}\,dx", r"\lim_{x\to 0} f(x)", r"\mathbb{R}", r"\mathcal{L}", r"\mathfrak{g}",
    r"\begin{pmatrix}a&b\\c&d\end{pmatrix}", r"\left(\frac{1}{2}\right)", r"\hat{x}", r"\overline{AB}",
    r"\text{if } x>0", r"\alpha+\Gamma", r"a\ne b", r"\begin{cases}1&x>0\\0&x\le 0\end{cases}", r"f'(x)",
    r"\vec{a}\times\vec{b}", r"\sin\theta", r"\frac{\sqrt{b^2-4ac}}{2a}", r"\sum_{k} \frac{1}{k^{2}}",
    r"\displaystyle\sum_{k=1}^{n} \frac{1}{k^{2}}", r"\nabla\cdot E=\frac{\rho}{\varepsilon_0}",
    r"\sqrt{1+\sqrt{2+\sqrt{3}}}", r"x_{i_{j}}^{n^{2}}", r"\dot{q}\approx 2\pi", "3.14", "a<b",
]


@pytest.fixture(scope="module")
def drawn():
    folder = installed("mathjax", [HERE / "package.json", HERE / "draw.cjs"], "--ignore-scripts")

    def draw(formulas):
        made = subprocess.run(["node", "draw.cjs"], cwd=folder, input=json.dumps(formulas), text=True,
                              capture_output=True, timeout=300)
        assert made.returncode == 0, made.stderr[-2000:]
        return json.loads(made.stdout)

    return draw


def markdown_of(pages, tmp_path):
    saved, out = tmp_path / "pages", tmp_path / "out"
    saved.mkdir()
    for name, formula in pages.items():
        (saved / f"{name}.html").write_text(f"<!doctype html><title>t</title><p>So {formula} holds.</p>")
    subprocess.run([need_program(), "markdown", "--mode", "page", "--out", out, saved], check=True,
                   capture_output=True)
    return {name: (out / f"{name}.md").read_text() for name in pages}


def tex_of(markdown):
    """Without spaces, which a drawing has as gaps, but one behind a command, which ends it; and without
    sans serif, which MathML as we read it does not say."""
    text = re.sub(r"\\[ ,;:]|\s+", " ", re.sub(r"\\mathsf\{(\w*)\}", r"\1", markdown))
    return re.sub(r"(?<![a-zA-Z])\s+|\s+(?![a-zA-Z])", "", re.sub(r" +", " ", text))


def differences(drawn, tmp_path, formulas, hows):
    """Formulas that a drawing says otherwise than MathML does, with both."""
    pages = {}
    for number, made in enumerate(drawn(formulas)):
        pages |= {f"{number}-{how}": made[how] for how in ("mathml", *hows)}
    written = markdown_of(pages, tmp_path)
    assert all("$" in text for text in written.values()), written
    pairs = [(written[f"{number}-{how}"], written[f"{number}-mathml"]) for number in range(len(formulas))
             for how in hows]
    return [(one, other) for one, other in pairs if tex_of(one) != tex_of(other)]


def test_what_is_drawn_is_what_is_said(drawn, tmp_path):
    assert not differences(drawn, tmp_path, FORMULAS, ("chtml", "svg_with_a_cache"))


def test_a_picture_of_shapes_alone_does_not_say_its_alphabets(drawn, tmp_path):
    plain = [tex for tex in FORMULAS if "\\math" not in tex]
    assert not differences(drawn, tmp_path, plain, ("svg",))


def test_formulas_of_pages_that_nobody_chose(drawn, tmp_path):
    found = {}
    for path in sorted(need_shared("corpora").glob("*/html/*")):
        raw = path.read_bytes()
        raw = gzip.decompress(raw) if path.suffix == ".gz" else raw
        if b"application/x-tex" not in raw:
            continue
        page = raw.decode(errors="replace")
        for tex in re.findall(r'encoding="application/x-tex"[^>]*>(.*?)</annotation>', page, re.S):
            found[html.unescape(tex).strip()] = path.name
    wrong = differences(drawn, tmp_path, list(found), ("chtml", "svg_with_a_cache"))
    print(f"{len(found)} formulas, {len(wrong)} of {2 * len(found)} drawings read otherwise: {wrong[:4]}")
    assert len(wrong) <= 0.1 * 2 * len(found), wrong[:10]

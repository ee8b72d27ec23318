#include <catch2/catch.hpp>
#include <markdown/writing/mathml.hpp>

#include <markdown/fragment.hpp>

using freshet::test::markdown_of;

namespace {

std::string tex(const std::string& inside, const std::string& attributes = "") {
  const auto page = freshet::html::parse("<math " + attributes + ">" + inside + "</math>");
  for (freshet::html::node_id id = 0; id < page.size(); ++id) {
    if (page.is_element(id, freshet::html::tag_id::math)) {
      return freshet::markdown::tex_of_math(page, id);
    }
  }
  return "no formula";
}

}  // namespace

TEST_CASE("MathML becomes TeX") {
  CHECK(tex("<mfrac><mn>1</mn><mi>\xCE\xB1</mi></mfrac>") == "\\frac{1}{\\alpha}");
  CHECK(tex("<msup><mi>x</mi><mn>2</mn></msup><mo>+</mo><msub><mi>y</mi><mi>i</mi></msub>") ==
        "x^{2} + y_{i}");
  CHECK(tex("<mrow><mo>-</mo><mi>b</mi><mo>\xC2\xB1</mo><msqrt><mi>d</mi></msqrt></mrow>") ==
        "-b \\pm \\sqrt{d}");
  CHECK(tex("<mroot><mn>8</mn><mn>3</mn></mroot>") == "\\sqrt[3]{8}");
  CHECK(tex("<msubsup><mo>\xE2\x88\xAB</mo><mn>0</mn><mn>1</mn></msubsup>") == "\\int_{0}^{1}");
  CHECK(tex("<munderover><mo>\xE2\x88\x91</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi>"
            "</munderover>") == "\\sum_{i = 1}^{n}");
  CHECK(tex("<mover><mi>x</mi><mo>^</mo></mover>") == "\\hat{x}");
  CHECK(tex("<mover><mi>a</mi><mo>\xE2\x86\x92</mo></mover>") == "\\vec{a}");
  CHECK(tex("<munder><mi>lim</mi><mrow><mi>x</mi><mo>\xE2\x86\x92</mo><mi>\xE2\x88\x9E</mi></mrow>"
            "</munder>") == "\\lim_{x \\to \\infty}");
  CHECK(tex("<mi>sin</mi><mo>\xE2\x81\xA1</mo><mi>x</mi>") == "\\sin x");
  CHECK(tex("<mi>rate</mi>") == "\\mathrm{rate}");
  CHECK(tex("<mtext>if 5% of it</mtext>") == "\\text{if 5\\% of it}");
  CHECK(tex("<mi>\xF0\x9D\x94\xB8</mi><mi>\xF0\x9D\x91\xA5</mi>") == "\\mathbb{A}x");
  CHECK(tex("<mo>(</mo><mtable><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr><mtr><mtd>"
            "<mi>c</mi></mtd><mtd><mi>d</mi></mtd></mtr></mtable><mo>)</mo>") ==
        "\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}");
  CHECK(tex("<mfenced open='[' close=']'><mi>a</mi><mi>b</mi></mfenced>") == "\\left[a, b\\right]");
  CHECK(tex("<menclose notation='box'><mi>a</mi></menclose>") == "\\boxed{a}");
  CHECK(tex("<mmultiscripts><mi>X</mi><mn>1</mn><none/><mprescripts/><mn>2</mn><mn>3</mn>"
            "</mmultiscripts>") == "{}_{2}^{3}X_{1}");
  CHECK(tex("<mo>(</mo><mfrac><mi>a</mi><mi>b</mi></mfrac><mo>)</mo>") ==
        "\\left(\\frac{a}{b}\\right)");
}

TEST_CASE("what a page says itself in TeX is preferred") {
  CHECK(tex("<semantics><mi>x</mi><annotation encoding='application/x-tex'> y </annotation>"
            "</semantics>") == "y");
  CHECK(tex("<mi>x</mi>", "alttext='z'") == "z");
  CHECK(tex("").empty());
  CHECK(freshet::markdown::tidy_tex("{\\displaystyle  a\n b}") == "a b");
}

TEST_CASE("formulas as renderers leave them") {
  CHECK(markdown_of("<p>a <span class=katex><span class=katex-mathml><math><mi>x</mi></math></span>"
                    "<span class=katex-html aria-hidden=true>x</span></span> b") == "a $x$ b");
  CHECK(markdown_of("<p>a <span class='math inline'>\\(x_1\\)</span>") == "a $x_1$");
  CHECK(
      markdown_of("<p><span class=MathJax_Preview>x</span><span class=MathJax data-mathml='&lt;math"
                  "&gt;&lt;mi&gt;x&lt;/mi&gt;&lt;/math&gt;'>x</span><script type='math/tex'>x"
                  "</script>") == "$x$");
  CHECK(markdown_of("<span class=MathJax data-mathml='&lt;math&gt;&lt;mi&gt;y&lt;/mi&gt;&lt;/math"
                    "&gt;'>drawn</span>") == "$y$");
  CHECK(markdown_of("<p>See<mjx-container display=true><mjx-assistive-mml><math><mi>x</mi></math>"
                    "</mjx-assistive-mml></mjx-container>there") == "See\n\n$$\nx\n$$\n\nthere");
  CHECK(markdown_of(
            "<mjx-container jax=CHTML><mjx-math aria-hidden=true><mjx-mfrac><mjx-frac><mjx-num>"
            "<mjx-mn><mjx-c class=mjx-c31></mjx-c></mjx-mn></mjx-num><mjx-den><mjx-msqrt>"
            "<mjx-sqrt><mjx-surd></mjx-surd><mjx-box><mjx-mi><mjx-c class='mjx-c1D465 TEX-I'>"
            "</mjx-c></mjx-mi></mjx-box></mjx-sqrt></mjx-msqrt></mjx-den></mjx-frac>"
            "</mjx-mfrac></mjx-math></mjx-container>") == "$\\frac{1}{\\sqrt{x}}$");
  CHECK(markdown_of("<mjx-container jax=SVG><svg><g data-mml-node=math><g data-mml-node=msubsup>"
                    "<g data-mml-node=mi><use data-c=1D465 /></g><g data-mml-node=mn "
                    "transform='translate(605,363) scale(.7)'><use data-c=32 /></g>"
                    "<g data-mml-node=mi transform='translate(605,-247)'><use data-c=1D456 /></g>"
                    "</g></g></svg></mjx-container>") == "$x_{i}^{2}$");
  std::string deep = "<mjx-container jax=CHTML><mjx-math>";
  for (int depth = 0; depth < 1000; ++depth) deep += "<mjx-msqrt><mjx-sqrt><mjx-box>";
  CHECK(markdown_of(deep + "<mjx-mn><mjx-c class=mjx-c31>").find("sqrt") == std::string::npos);
  CHECK(markdown_of("<span data-math='a_b' class=math-inline>drawn</span>") == "$a_b$");
  CHECK(markdown_of("<p>a <img src='https://latex.codecogs.com/svg.image?%5Calpha'>") ==
        "a $\\alpha$");
  CHECK(markdown_of("<p>a <img class=latex src=/i.png alt='x^2'> b") == "a $x^2$ b");
}

TEST_CASE("TeX in the text counts where a script of the page reads it") {
  const std::string script = "<script src='/mathjax/tex.js'></script>";
  CHECK(markdown_of(script + "<p>So $a_1 * b_1$ and \\(c\\), for $5 and $6.") ==
        "So $a_1 * b_1$ and $c$, for $5 and $6.");
  CHECK(markdown_of("<p>So $a_1 *b*$") == "So $a_1 \\*b*$");
  // Of many beginnings the one that an end follows closely is meant, and each end is its own.
  const std::string far(4000, 'x');
  CHECK(markdown_of(script + "<p>\\(" + far + " \\(a\\) \\[b\\] $c_1$ \\(d\\)")
            .ends_with(far + " $a$\n\n$$\nb\n$$\n\n$c_1$ $d$"));
}

// Formulas of TeX on standard input, as MathJax says them in MathML and as it draws them without.
const {mathjax} = require('mathjax-full/js/mathjax.js');
const {TeX} = require('mathjax-full/js/input/tex.js');
const {CHTML} = require('mathjax-full/js/output/chtml.js');
const {SVG} = require('mathjax-full/js/output/svg.js');
const {liteAdaptor} = require('mathjax-full/js/adaptors/liteAdaptor.js');
const {RegisterHTMLHandler} = require('mathjax-full/js/handlers/html.js');
const {SerializedMmlVisitor} = require('mathjax-full/js/core/MmlTree/SerializedMmlVisitor.js');
const {STATE} = require('mathjax-full/js/core/MathItem.js');
const {AllPackages} = require('mathjax-full/js/input/tex/AllPackages.js');

const adaptor = liteAdaptor();
RegisterHTMLHandler(adaptor);
const outputs = {
  chtml: new CHTML({fontURL: '/fonts'}),
  svg_with_a_cache: new SVG({fontCache: 'local'}),
  svg: new SVG({fontCache: 'none'}),
};
const documents = Object.fromEntries(
  Object.entries(outputs).map(([name, OutputJax]) => [
    name,
    mathjax.document('', {InputJax: new TeX({packages: AllPackages}), OutputJax}),
  ]),
);
const visitor = new SerializedMmlVisitor();

const formulas = JSON.parse(require('fs').readFileSync(0, 'utf8'));
console.log(
  JSON.stringify(
    formulas.map(tex => {
      const said = documents.chtml.convert(tex, {display: false, end: STATE.CONVERT});
      const made = {mathml: visitor.visitTree(said)};
      for (const [name, document] of Object.entries(documents)) {
        made[name] = adaptor.outerHTML(document.convert(tex, {display: false}));
      }
      return made;
    }),
  ),
);

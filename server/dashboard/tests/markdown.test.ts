// Markdown to a tree: the blocks of our writer, hostile text, and what stays text.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {blocksOf, maxShownLength, safeUrl, spansOf, type Block} from '../src/data/markdown';

const kinds = (text: string) => blocksOf(text).map(one => one.kind);
const first = (text: string): Block => {
  const [block] = blocksOf(text);
  assert.ok(block);
  return block;
};

test('the blocks that our writer makes', () => {
  const text =
    '# Tides\n\nHigh **twice**.\n\n- a\n- b\n  - c\n\n> said\n\n' +
    '```\nx\n```\n\n---\n\n| a | b |\n| --- | --- |\n| 1 | 2 |';
  assert.deepEqual(kinds(text), ['heading', 'paragraph', 'list', 'quote', 'code', 'rule', 'table']);
});

test('lists nest, number and end', () => {
  const list = first('3. a\n4. b\n   - c\n\nafter');
  assert.ok(list.kind === 'list');
  assert.equal(list.start, 3);
  assert.equal(list.items.length, 2);
  assert.deepEqual(
    list.items[1]?.map(one => one.kind),
    ['paragraph', 'list'],
  );
  assert.deepEqual(kinds('- a\n\nafter'), ['list', 'paragraph']);
});

test('spans: emphasis, code, escapes, links', () => {
  assert.deepEqual(spansOf('a \\*b\\* `c*`'), [
    {kind: 'text', text: 'a '},
    {kind: 'text', text: '*'},
    {kind: 'text', text: 'b'},
    {kind: 'text', text: '*'},
    {kind: 'text', text: ' '},
    {kind: 'code', text: 'c*'},
  ]);
  assert.deepEqual(spansOf('[**x**](https://e.org/a_b)'), [
    {
      kind: 'link',
      url: 'https://e.org/a_b',
      spans: [{kind: 'strong', spans: [{kind: 'text', text: 'x'}]}],
    },
  ]);
  assert.deepEqual(spansOf('snake_case_name'), [{kind: 'text', text: 'snake_case_name'}]);
});

test('HTML stays text, and no link leads into a script', () => {
  assert.deepEqual(spansOf('<img src=x onerror=a>'), [
    {kind: 'text', text: '<img src=x onerror=a>'},
  ]);
  for (const url of [
    'javascript:alert(1)',
    ' JaVaScRiPt:1',
    'data:text/html,x',
    '//evil.example',
  ]) {
    assert.equal(safeUrl(url), '');
  }
  assert.deepEqual(spansOf('[x](javascript:1)'), [
    {kind: 'link', url: '', spans: [{kind: 'text', text: 'x'}]},
  ]);
});

/** The lines and characters that reading `text` copies, trims and tests. */
function workOf(text: string): number {
  const {slice} = Array.prototype;
  const {trim} = String.prototype;
  const {test: matches} = RegExp.prototype;
  let work = 0;
  Array.prototype.slice = function (...range) {
    const copied = slice.apply(this, range);
    work += copied.length;
    return copied;
  };
  String.prototype.trim = function () {
    work += this.length + 1;
    return trim.call(this);
  };
  RegExp.prototype.test = function (tested) {
    work += tested.length;
    return matches.call(this, tested);
  };
  try {
    blocksOf(text);
  } finally {
    Object.assign(Array.prototype, {slice});
    Object.assign(String.prototype, {trim});
    Object.assign(RegExp.prototype, {test: matches});
  }
  return work;
}

test('a document twice as long is twice the work', () => {
  const longer: [string, (n: number) => string][] = [
    ['loose list', n => '- a\n\n'.repeat(n)],
    ['loose list in a list', n => '- a\n' + '  - b\n\n'.repeat(n)],
    ['paragraphs of one item', n => '- a\n' + '\n  b\n'.repeat(n)],
    ['blank lines within an item', n => '- a' + '\n'.repeat(n) + '  b'],
    ['blank lines after an item', n => '- a' + '\n'.repeat(n) + 'b'],
    ['underscores', n => '_ '.repeat(n)],
    ['asterisks within words', n => 'a*'.repeat(n)],
  ];
  for (const [name, text] of longer) {
    const [once, twice] = [workOf(text(2000)), workOf(text(4000))];
    assert.ok(twice < 3 * once, `${name}: ${once}, then ${twice}`);
  }
});

test('blank lines stay within their item and its code', () => {
  const list = first('- a\n\n\n  ```\n  x\n\n\n  y\n  ```\n\n-\n- b\n\n\nc');
  assert.deepEqual(list, {
    kind: 'list',
    ordered: false,
    start: 1,
    items: [
      [
        {kind: 'paragraph', spans: [{kind: 'text', text: 'a'}]},
        {kind: 'code', text: 'x\n\n\ny'},
      ],
      [],
      [{kind: 'paragraph', spans: [{kind: 'text', text: 'b'}]}],
    ],
  });
});

test('a heading ends before the signs that close it', () => {
  const texts = ['# a ##', '# a#', '# a \t# ', '# ## ##', '# #', '#', '#  '].map(first);
  const shown = texts.map(one => (one.kind === 'heading' ? one.spans : one.kind));
  const text = (of: string) => [{kind: 'text', text: of}];
  const wanted = [text('a'), text('a#'), text('a'), text('##'), text('#'), 'paragraph', []];
  assert.deepEqual(shown, wanted);
});

test('hostile text costs little', () => {
  const began = process.cpuUsage().user;
  for (const part of ['*', '[', '![', '`', '_a', '[x](y)', '<', '> ', '- ', '  - a\n', '|', '~']) {
    blocksOf(part.repeat(20000));
  }
  const gap = ' '.repeat(maxShownLength);
  const signs = '#'.repeat(maxShownLength);
  for (const text of [`# a${gap}b`, `# a ${signs}b`, `|\n${gap}x`, `|\n-${gap}x`]) blocksOf(text);
  // A second of the processor for a megabyte; what grows as the square would take minutes.
  assert.ok(process.cpuUsage().user - began < 30_000_000);
});

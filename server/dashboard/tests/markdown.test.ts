// Markdown to a tree: the blocks of our writer, hostile text, and what stays text.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {blocksOf, safeUrl, spansOf, type Block} from '../src/data/markdown';

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

test('hostile text costs little', () => {
  const began = process.cpuUsage().user;
  for (const part of ['*', '[', '![', '`', '_a', '[x](y)', '<', '> ', '- ', '  - a\n', '|', '~']) {
    blocksOf(part.repeat(20000));
  }
  // A second of the processor for a megabyte; what grows as the square would take minutes.
  assert.ok(process.cpuUsage().user - began < 30_000_000);
});

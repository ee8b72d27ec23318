// The parts of a guide, and what the search finds of it.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {guideEntries, partsOf, slugOf} from '../src/data/guides';

const text = [
  '# A title',
  'Opening.',
  '## First calls',
  'One.',
  '```sh',
  '## no heading',
  '```',
  '## C++',
  'Two.',
].join('\n');

test('a guide is divided at its headings, not within code', () => {
  const parts = partsOf(text);
  assert.deepEqual(parts.map(one => one.title), ['', 'First calls', 'C++']);
  assert.match(parts[0]?.text ?? '', /Opening/);
  assert.match(parts[1]?.text ?? '', /## no heading/);
});

test('an address of a part has its words alone', () => {
  assert.equal(slugOf('First calls'), 'first-calls');
  assert.equal(slugOf('`render`, and what it costs'), 'render-and-what-it-costs');
  assert.equal(slugOf('C++'), 'c');
});

test('each part is found by itself', () => {
  const entries = guideEntries([{name: 'one', title: 'One', about: 'about it', text}]);
  assert.deepEqual(
    entries.map(one => [one.to, one.title]),
    [
      ['/docs/guides/one', 'One'],
      ['/docs/guides/one#first-calls', 'First calls, in One'],
      ['/docs/guides/one#c', 'C++, in One'],
    ],
  );
});

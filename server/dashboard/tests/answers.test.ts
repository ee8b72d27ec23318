// How answers are laid out: comments as trees, sources over time, and what a form still needs.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {leadOf, missingOf} from '../src/data/form';
import type {Endpoint} from '../src/data/openapi';
import {mostRecent, withCall, type RecentCall} from '../src/data/recent';
import {countsOf} from '../src/data/requests';
import {timelineOf} from '../src/data/timeline';
import {countBelow, treesOf} from '../src/data/tree';

test('comments stand below the ones that they answer', () => {
  const comments = [
    {id: 'a', parent_id: null},
    {id: 'b', parent_id: 'a'},
    {id: 'c', parent_id: 'b'},
    {id: 'd', parent_id: 'a'},
    {id: 'e', parent_id: 'of another page'},
  ];
  const trees = treesOf(comments);
  assert.deepEqual(
    trees.map(one => one.item.id),
    ['a', 'e'],
  );
  assert.deepEqual(
    trees[0]?.answers.map(one => one.item.id),
    ['b', 'd'],
  );
  assert.equal(countBelow(trees[0]!), 3);
});

test('comments that answer each other, or themselves, are all there once', () => {
  const trees = treesOf([
    {id: 'a', parent_id: 'b'},
    {id: 'b', parent_id: 'a'},
    {id: 'c', parent_id: 'c'},
  ]);
  const all = trees.length + trees.reduce((sum, one) => sum + countBelow(one), 0);
  assert.equal(all, 3);
});

test('items lie between the oldest and the newest, a row for each source', () => {
  const item = (id: string, source: string, created_at: string | null) => ({
    id,
    source,
    created_at,
    title: id,
  });
  const timeline = timelineOf([
    item('1', 'x', '2026-11-01T00:00:00Z'),
    item('2', 'y', '2026-11-03T00:00:00Z'),
    item('3', 'y', '2026-11-02T00:00:00Z'),
    item('4', 'y', null),
  ]);
  assert.deepEqual(
    timeline?.rows.map(row => [row.source, row.dots.map(dot => dot.place)]),
    [
      ['y', [1, 0.5]],
      ['x', [0]],
    ],
  );
  assert.equal(timeline?.undated, 1);
  assert.equal(timelineOf([item('1', 'x', '2026-11-01T00:00:00Z')]), null);
});

const endpoint = (required: string[], oneOf: string[][]) =>
  ({
    parameters: ['sort', 'q', 'id', 'url'].map(name => ({
      name,
      schema: {},
      required: required.includes(name),
    })),
    oneOf,
  }) as unknown as Endpoint;

test('what is missing is named, and the large field is what is needed', () => {
  assert.deepEqual(missingOf(endpoint(['q'], []), {q: ' '}), {q: 'q is required'});
  assert.deepEqual(missingOf(endpoint(['q'], []), {q: 'tides'}), {});
  const either = endpoint([], [['id'], ['url']]);
  assert.deepEqual(missingOf(either, {}), {id: 'id or url is required'});
  assert.deepEqual(missingOf(either, {url: 'https://example.org/'}), {});
  assert.equal(leadOf(endpoint(['q'], [])), 'q');
  assert.equal(leadOf(either), 'id');
  assert.equal(leadOf(endpoint([], [])), null);
});

test('the last calls are the newest, each once', () => {
  const made = (n: number): RecentCall => ({
    endpoint: 'news/search',
    sandbox: true,
    body: {q: `q${n}`},
    at: `2026-11-01T00:00:${n}Z`,
    said: '',
    ok: true,
  });
  let calls: RecentCall[] = [];
  for (let n = 0; n < 30; ++n) calls = withCall(calls, made(n));
  assert.equal(calls.length, mostRecent);
  calls = withCall(calls, {...made(15), said: 'again'});
  assert.equal(calls.length, mostRecent);
  assert.equal(calls[0]?.said, 'again');
  assert.equal(calls.filter(one => one.body['q'] === 'q15').length, 1);
});

test('what occurs most stands first', () => {
  const rows = ['b', 'a', 'b', 'c'];
  assert.deepEqual(
    countsOf(rows, row => row),
    [
      ['b', 2],
      ['a', 1],
      ['c', 1],
    ],
  );
});

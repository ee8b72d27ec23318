// The request log's pure parts: the address, curl, and what the playground takes.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  bodyIn,
  changedQuery,
  curlOf,
  durationsOf,
  filterOf,
  playgroundOf,
  shareOf,
  statusKind,
} from '../src/data/requests';

test('filters are what the address says, and nothing else', () => {
  const query = new URLSearchParams('status=4xx&key=&mode= test &id=req_1&email=a@b.c');
  assert.deepEqual(filterOf(query), {status: '4xx', mode: 'test'});
  const changed = changedQuery(query, {status: '', key: ' key_1 ', id: ''});
  assert.equal(changed, '?key=key_1&mode=+test+&email=a%40b.c');
  assert.equal(changedQuery(new URLSearchParams('id=x'), {id: ''}), '');
});

test('a body goes into curl as it was sent', () => {
  const text = curlOf('http://here', 'news/search', `{"q": "it's"`);
  assert.match(text, /^curl -s http:\/\/here\/v1\/news\/search/);
  assert.ok(text.endsWith(`-d '{"q": "it'\\''s"'`));
});

test('a call goes to the playground with its body and its mode', () => {
  const address = playgroundOf('news/search', 'test', '{"q":"a&b"}');
  const query = new URLSearchParams(address.split('?')[1]);
  assert.equal(query.get('mode'), 'test');
  assert.deepEqual(bodyIn(query.get('body')), {q: 'a&b'});
  const without = new URLSearchParams(playgroundOf('a/b', 'live', null).split('?')[1]);
  assert.equal(without.has('body'), false);
  for (const none of [null, '', '{', '[1]', '"x"', 'null']) assert.equal(bodyIn(none), null);
});

test('bars are seen and never wider than the call', () => {
  assert.equal(shareOf(0, 1000), 1);
  assert.equal(shareOf(500, 1000), 50);
  assert.equal(shareOf(2000, 1000), 100);
  assert.equal(shareOf(0, 0), 100);
  assert.deepEqual([200, 404, 429, 502].map(statusKind), ['ok', 'warn', 'warn', 'off']);
});

test('how long calls took is said of each endpoint, the most called first', () => {
  const rows = [...Array(40).keys()].map(i => ({endpoint: 'news/search', elapsed_ms: 40 - i}));
  rows.push({endpoint: 'scrape/markdown', elapsed_ms: 900});
  assert.deepEqual(durationsOf(rows, 5), [
    {endpoint: 'news/search', calls: 40, median: 20, p95: 38},
    {endpoint: 'scrape/markdown', calls: 1, median: 900, p95: 900},
  ]);
  assert.equal(durationsOf(rows, 1).length, 1);
  assert.deepEqual(durationsOf([], 5), []);
});

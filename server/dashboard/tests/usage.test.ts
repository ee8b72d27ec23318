// The chart, the search and the times: what people read as numbers.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {browserName} from '../src/data/browser';
import {entriesOf, search} from '../src/data/search';
import {ago} from '../src/data/ago';
import {countName, daysLeft, duration, number, signed} from '../src/data/format';
import {axisTop, chartOf, failedRows, lastsUntil, otherSeries} from '../src/data/usage';

const row = (day: string, endpoint: string | null, credits: number) => ({
  group: `${day},${endpoint ?? ''}`,
  calls: credits > 0 ? 1 : 0,
  credits,
  day,
  endpoint,
});

test('days stand in order, empty ones too, and every credit is in one part', () => {
  const chart = chartOf([
    row('2026-11-02', 'b/x', 2),
    row('2026-11-01', null, 0),
    row('2026-11-02', 'a/x', 5),
  ]);
  assert.deepEqual(chart.series, ['a/x', 'b/x']);
  assert.deepEqual(
    chart.stacks.map(one => one.day),
    ['2026-11-01', '2026-11-02'],
  );
  assert.deepEqual(
    chart.stacks.map(one => one.parts),
    [
      [0, 0],
      [5, 2],
    ],
  );
  assert.deepEqual([chart.total, chart.calls, chart.highest], [7, 2, 7]);
});

test('what the server has added up as the others is the last part', () => {
  const others = {group: '2026-11-02,*', calls: 9, credits: 40, day: '2026-11-02', endpoint: null};
  const few = chartOf([row('2026-11-02', 'a/x', 5), others]);
  assert.deepEqual(few.series, ['a/x', otherSeries]);
  assert.deepEqual(few.stacks[0]?.parts, [5, 40]);
  const six = ['a', 'b', 'c', 'd', 'e', 'f'].map((name, i) => row('2026-11-02', name, 9 - i));
  assert.deepEqual(chartOf(six).series, ['a', 'b', 'c', 'd', 'e', 'f']);
  const many = chartOf([...six, others]);
  assert.deepEqual(many.series, ['a', 'b', 'c', 'd', 'e', otherSeries]);
  assert.deepEqual(many.stacks[0]?.parts, [9, 8, 7, 6, 5, 44]);
});

test('failed calls are counted by day and code, and a day without one is there', () => {
  const now = Date.parse('2026-11-03T12:00:00Z');
  const failed = (created_at: string, code: string) => ({
    created_at,
    endpoint: 'a/x',
    key_id: 'k',
    code,
  });
  const rows = failedRows(
    [
      failed('2026-11-03T11:00:00Z', 'rate_limited'),
      failed('2026-11-01T12:00:00Z', 'not_found'),
      failed('2026-11-01T12:30:00Z', 'rate_limited'),
    ],
    3,
    now,
  );
  const chart = chartOf(rows, {by: 'code', measure: 'errors'});
  assert.deepEqual(chart.series, ['rate_limited', 'not_found']);
  assert.deepEqual(
    chart.stacks.map(one => [one.day, one.parts]),
    [
      ['2026-11-01', [1, 1]],
      ['2026-11-02', [0, 0]],
      ['2026-11-03', [1, 0]],
    ],
  );
  assert.deepEqual([chart.total, chart.calls], [3, 3]);
});

test('the smallest endpoints stand together', () => {
  const rows = [1, 2, 3, 4, 5].map(n => row('2026-11-01', `e${n}`, n));
  const chart = chartOf(rows, {maxSeries: 3});
  assert.deepEqual(chart.series, ['e5', 'e4', otherSeries]);
  assert.deepEqual(chart.stacks[0]?.parts, [5, 4, 6]);
});

test('keys and sources are parts as endpoints are, and calls are counted as credits are', () => {
  const rows = [
    {group: '2026-11-01,key_a', calls: 3, credits: 9, day: '2026-11-01', key_id: 'key_a'},
    {group: '2026-11-01,key_b', calls: 4, credits: 4, day: '2026-11-01', key_id: 'key_b'},
  ];
  assert.deepEqual(chartOf(rows, {by: 'key'}).series, ['key_a', 'key_b']);
  const calls = chartOf(rows, {by: 'key', measure: 'calls'});
  assert.deepEqual(calls.series, ['key_b', 'key_a']);
  assert.deepEqual([calls.total, calls.highest], [7, 7]);
});

test('what is left lasts as long as the last week says', () => {
  const now = Date.UTC(2026, 10, 22);
  const inDays = (days: number) => new Date(now + days * 86400000).toISOString();
  assert.equal(lastsUntil(70, [99, 10, 10, 10, 10, 10, 10, 10], now)?.toISOString(), inDays(7));
  assert.equal(lastsUntil(10, [0, 20], now)?.toISOString(), inDays(1));
  assert.equal(lastsUntil(-5, [10], now)?.toISOString(), inDays(0));
  assert.equal(lastsUntil(1000, [0, 0, 0], now), null);
  assert.equal(lastsUntil(1000, [], now), null);
});

test('the axis ends on a round number not below the highest', () => {
  for (const value of [0, 1, 4, 5, 9, 10, 99, 101, 1234, 99999]) {
    const top = axisTop(value);
    assert.ok(top >= value && top % 4 === 0 && top <= Math.max(4, value * 2), `${value}: ${top}`);
  }
});

test('days and durations', () => {
  const now = Date.UTC(2026, 10, 22, 12);
  assert.equal(daysLeft('2026-12-01T00:00:00Z', now), 9);
  assert.equal(daysLeft('2026-11-01T00:00:00Z', now), 0);
  assert.equal(duration(65), '1:05');
  assert.equal(duration(3725), '1:02:05');
});

test('counts have a singular', () => {
  const said = (name: string) => [countName(name, 1), countName(name, 2), countName(name, 0)];
  assert.deepEqual(said('likes'), ['like', 'likes', 'likes']);
  assert.deepEqual(said('replies'), ['reply', 'replies', 'replies']);
  assert.deepEqual(said('score'), ['score', 'score', 'score']);
  assert.deepEqual(said('following'), ['following', 'following', 'following']);
});

test('browsers are called by their names', () => {
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
  const edge = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537 Chrome/141.0 Safari/537 Edg/141.0';
  assert.equal(browserName(firefox), 'Firefox 145 on Linux');
  assert.equal(browserName(edge), 'Edge 141 on Windows');
  assert.equal(browserName('curl/8'), 'curl/8');
  assert.equal(browserName(''), 'Unknown');
});

test('the search wants every word and puts names first', () => {
  const endpoint = {
    path: 'forum/search',
    platform: 'forum',
    operation: 'forum_search',
    summary: 'Posts',
    description: '',
    credits: 1,
    scope: 'read',
    parameters: [{name: 'since', schema: {description: 'Not older'}, required: false}],
    oneOf: [],
    example: {},
    answers: {objects: ['ForumPost'], list: true},
    answer: null,
  };
  const document = {
    info: {title: '', version: ''},
    servers: [],
    tags: [],
    paths: {},
    components: {schemas: {}, responses: {}},
  };
  const errors = [
    {code: 'rate_limited', title: 'Rate', status: 429, help: 'search less', retryable: true},
  ];
  const entries = entriesOf(document, [endpoint], errors);
  assert.deepEqual(search(entries, 'forum SEARCH').map(one => one.kind)[0], 'endpoint');
  assert.deepEqual(
    search(entries, 'older').map(one => one.to),
    ['/docs/forum/search#parameter-since'],
  );
  assert.deepEqual(
    search(entries, 'search less').map(one => one.title),
    ['rate_limited'],
  );
  assert.deepEqual(search(entries, 'nothing'), []);
  assert.deepEqual(search(entries, '  '), []);
});

test('numbers are grouped as the words around them are English', () => {
  assert.deepEqual(
    [0, 7, 999, 1000, 12345, 1234567.6, -4321].map(number),
    ['0', '7', '999', '1,000', '12,345', '1,234,568', '-4,321'],
  );
  assert.deepEqual([1500, 0, -1500].map(signed), ['+1,500', '0', '−1,500']);
});

test('a moment is so far off in words', () => {
  const now = Date.parse('2026-11-28T12:00:00Z');
  const said = (seconds: number) => ago(new Date(now + seconds * 1000).toISOString(), now);
  assert.deepEqual(
    [0, -59, 59, -60, -7200, -86400, -3 * 86400, -40 * 86400, -500 * 86400].map(said),
    ['now', 'now', 'now', '1 minute ago', '2 hours ago', 'yesterday', '3 days ago', 'last month',
      'last year'],
  );
  assert.deepEqual([90, 86400, 800 * 86400].map(said), ['in 1 minute', 'tomorrow', 'in 2 years']);
  assert.equal(ago('never', now), 'never');
});

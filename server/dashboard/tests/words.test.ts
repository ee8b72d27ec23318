// The table of messages is of one voice: what a product writer would check, checked.
import assert from 'node:assert/strict';
import {readdirSync, readFileSync} from 'node:fs';
import {test} from 'node:test';
import * as words from '../src/words';

/** Stands for any value: a number, a text, a list of either. */
const sample = Object.assign([7], {charAt: () => '7'}) as unknown as number;

type Area = Record<string, unknown>;
const areas = Object.entries(words) as unknown as [string, Area][];

function textOf(message: unknown): string {
  if (typeof message === 'string') return message;
  return (message as (...values: unknown[]) => string)(...Array(9).fill(sample));
}

/** Every message by where it stands, the code in it left out. */
const messages = areas.flatMap(([area, table]) =>
  Object.entries(table).map(([key, one]) => ({area, key, at: `${area}.${key}`, text: textOf(one)})),
);

function judge(rule: (text: string) => boolean, of = messages): string[] {
  return of
    .filter(one => !rule(one.text.replace(/`[^`]*`/g, '`').replace(/\]\([^)]*\)/g, ']')))
    .map(one => `${one.at}: ${one.text}`);
}

/** Names that are written with a capital wherever they stand. */
const names = new Set(
  'Freshet Model Context Protocol Claude Code Cursor Requests Retry-After Ctrl OpenAPI MiB'.split(
    ' ',
  ),
);

const isSentenceCase = (text: string) =>
  text.split(/(?<=[.?:;…“–]) |“/).every(sentence =>
    sentence
      .split(/[\s[\]]+/)
      .filter(Boolean)
      .slice(1)
      .every(word => !/^\p{Lu}\p{Ll}/u.test(word) || names.has(word.replace(/[.,:;?]$/, ''))),
  );

test('the table is found', () => assert.ok(messages.length > 350, String(messages.length)));

test('no two messages say the same', () => {
  const seen = new Map<string, string>();
  const doubles: string[] = [];
  for (const {area, at, text} of messages) {
    // A noun may stand alone as a title and, in lower case, inside of a line.
    const place = area === 'fragments' ? 'inside ' : '';
    const said = (place + text)
      .toLowerCase()
      .replace(/[.:…]+$/, '')
      .trim();
    const before = seen.get(said);
    if (before) doubles.push(`${before} and ${at}: ${text}`);
    seen.set(said, at);
  }
  assert.deepEqual(doubles, []);
});

test('messages begin with a capital, and have no other than names have', () => {
  // A number or code may come first.
  const begins = (text: string) => /^(`|\d|\P{L}*\p{Lu})/u.test(text);
  assert.deepEqual(
    judge(
      begins,
      messages.filter(one => one.area !== 'fragments'),
    ),
    [],
  );
  assert.deepEqual(
    judge(
      text => !/^\p{Lu}/u.test(text),
      messages.filter(one => one.area === 'fragments'),
    ),
    [],
  );
  assert.deepEqual(judge(isSentenceCase), []);
  assert.ok(isSentenceCase('Delete your account? This ends it.') && !isSentenceCase('Audit Log'));
});

test('messages are calm, short and typeset', () => {
  const filler = /\b(please|sorry|oops|successfully|simply|just|kindly|note that)\b/i;
  assert.deepEqual(
    judge(text => !filler.test(text)),
    [],
  );
  assert.deepEqual(
    judge(text => !/!|\.\.\.|['"]|  |\be\.g\.|\bi\.e\./.test(text)),
    [],
  );
  // Two sentences are prose, and end as prose does.
  assert.deepEqual(
    judge(text => !/[.?] \p{Lu}/u.test(text) || /[.?:…]$/.test(text)),
    [],
  );
  assert.deepEqual(
    judge(text => text.split(/(?<=[.?]) /).every(one => one.split(' ').length <= 32)),
    [],
  );
});

test('one word has one meaning', () => {
  // The first is how we say it.
  const other: [string, RegExp][] = [
    ['create', /\b(make|generate) (a|another|your|the) (key|account)/i],
    ['cannot be undone', /taken back|irreversible|permanent/i],
    ['sign in', /\blog ?in\b|\blogon\b/i],
    ['operator', /\badmin/i],
    ['entry', /\bledger rows?\b/i],
    ['code', /\berror number\b/i],
    ['end (a session)', /\b(kill|terminate)/i],
    ['ID', /\bids?\b|\bId\b/],
  ];
  for (const [ours, pattern] of other) {
    assert.deepEqual(
      judge(text => !pattern.test(text)),
      [],
      ours,
    );
  }
});

test('a problem says what to do next', () => {
  const next = /(^|[.,:;] |\bthen |\bor )(try|check|reload|use|remove|enter|ask)\b/i;
  const table = words.problems as Area;
  const silent = Object.keys(table).filter(key => {
    const help = table[`${key}Help`] ?? table[key];
    return !key.endsWith('Help') && !next.test(textOf(help));
  });
  assert.deepEqual(silent, []);
});

test('one and many differ', () => {
  const value = (count: string) => count.replace(/^[^\p{L}]*/u, '');
  for (const [noun, count] of Object.entries(words.counted)) {
    if (count.length !== 1) continue;
    const of = count as (value: number) => string;
    assert.notEqual(value(of(1)), value(of(2)), noun);
    assert.equal(value(of(0)), value(of(2)), noun);
  }
});

test('every message is said somewhere', () => {
  const folders = ['api', 'app', 'data', 'docs', 'operator', 'pages', 'parts', 'words'];
  const code = folders
    .flatMap(folder => readdirSync(`src/${folder}`).map(name => `src/${folder}/${name}`))
    .map(name => readFileSync(name, 'utf8'))
    .join('\n');
  const unsaid = messages.filter(
    ({area, key}) => !RegExp(`\\b(words|${area})\\.${key}\\b`).test(code),
  );
  assert.deepEqual(
    unsaid.map(one => one.at),
    [],
  );
});

// The parts of an export make one document, in which nothing is missing or twice.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {exportedParts} from '../src/data/exported';

async function documentOf(answers: Record<string, unknown>) {
  const asked: string[] = [];
  const get = async <T>(path: string): Promise<T> => {
    asked.push(path);
    return answers[path] as T;
  };
  const parts = await exportedParts(get);
  return {asked, parts, read: JSON.parse(await new Blob(parts).text()) as unknown};
}

const path = '/dashboard/api/export';

test('a short ledger is in the first answer', async () => {
  const whole = {account: {email: 'a@b.c'}, keys: [{id: 'key_1'}], ledger: [{id: 'led_1'}]};
  const {asked, read} = await documentOf({[path]: whole});
  assert.deepEqual(read, whole);
  assert.deepEqual(asked, [path]);
  assert.deepEqual((await documentOf({[path]: {keys: [], ledger: []}})).read, {
    keys: [],
    ledger: [],
  });
});

test('a long one goes on where the part before says', async () => {
  const rows = ['led_9', 'led_7', 'led_4', 'led_2'].map(id => ({id, reason: 'a "]}" of theirs'}));
  const {asked, parts, read} = await documentOf({
    [path]: {account: {}, ledger: rows.slice(0, 2), ledger_before: 'led_7'},
    [`${path}/led_7`]: {ledger: rows.slice(2), ledger_before: 'led_2'},
    [`${path}/led_2`]: {ledger: []},
  });
  assert.deepEqual(read, {account: {}, ledger: rows});
  assert.deepEqual(asked, [path, `${path}/led_7`, `${path}/led_2`]);
  assert.equal(parts.length, 3);
});

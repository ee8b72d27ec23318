// Rows to CSV: what is quoted, and what a spreadsheet must not run.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {csvCell, csvLines, csvParts} from '../src/data/csv';

test('cells are quoted only where they need it', () => {
  assert.equal(csvCell('plain'), 'plain');
  assert.equal(csvCell('a,b'), '"a,b"');
  assert.equal(csvCell('say "no"'), '"say ""no"""');
  assert.equal(csvCell('two\nlines'), '"two\nlines"');
  assert.equal(csvCell(null), '');
  assert.equal(csvCell(undefined), '');
  assert.equal(csvCell(false), 'false');
});

test('a number stays a number, a text that looks like a formula does not run', () => {
  assert.equal(csvCell(-3), '-3');
  assert.equal(csvCell('=1+1'), "'=1+1");
  assert.equal(csvCell('@SUM(A1)'), "'@SUM(A1)");
  assert.equal(csvCell('-x,y'), `"'-x,y"`);
  for (const first of '＝＋－＠') assert.equal(csvCell(`${first}1+1`), `'${first}1+1`);
  assert.equal(csvCell('\n=1+1'), `"'\n=1+1"`);
});

test('rows end as RFC 4180 has it', () => {
  assert.equal(
    csvLines([
      ['id', 'amount'],
      ['1', 2],
      ['3', null],
    ]),
    'id,amount\r\n1,2\r\n3,\r\n',
  );
  assert.equal(csvLines([]), '');
});

test('of a long list one page is here at a time, and none is left out', async () => {
  let alive = 0;
  let most = 0;
  async function* pages() {
    for (let page = 0; page < 250; ++page) {
      most = Math.max(most, ++alive);
      yield Array.from({length: 1_000}, (_, row) => ({id: page * 1_000 + row, at: 'a,b'}));
      --alive;
    }
    yield [];
  }
  const told: number[] = [];
  const parts = await csvParts(['id', 'at'] as const, pages(), rows => told.push(rows));
  const lines = (await new Blob(parts).text()).split('\r\n');
  assert.equal(lines.length, 1 + 250_000 + 1);
  assert.equal(lines[0], 'id,at');
  assert.equal(lines[250_000], '249999,"a,b"');
  assert.equal(told.at(-1), 250_000);
  assert.equal(most, 1);
  assert.equal(parts.length, 252);
});

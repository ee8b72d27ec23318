// Rows to CSV: what is quoted, and what a spreadsheet must not run.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {csvCell, toCsv} from '../src/data/csv';

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
});

test('rows end as RFC 4180 has it', () => {
  assert.equal(
    toCsv(
      ['id', 'amount'],
      [
        ['1', 2],
        ['3', null],
      ],
    ),
    'id,amount\r\n1,2\r\n3,\r\n',
  );
  assert.equal(toCsv(['id'], []), 'id\r\n');
});

// All that the server keeps of an account as one JSON document. Its ledger comes in parts, of which
// the page holds one at a time.
import {partOf} from './download';

interface Exported {
  ledger: object[];
  /** Where what is older begins; it is there only if there is some. */
  ledger_before?: string;
}

const path = '/dashboard/api/export';

const linesOf = (rows: object[]) => rows.map(row => JSON.stringify(row)).join(',\n');

export async function exportedParts(get: <T>(path: string) => Promise<T>): Promise<Blob[]> {
  const {ledger, ledger_before, ...rest} = await get<Exported>(path);
  const members = JSON.stringify(rest, null, 2).replace(/\s*\}$/, '');
  const parts = [partOf(`${members},\n  "ledger": [\n${linesOf(ledger)}`)];
  let before = ledger_before;
  while (before !== undefined) {
    const older: Exported = await get<Exported>(`${path}/${before}`);
    if (older.ledger.length > 0) parts.push(partOf(`,\n${linesOf(older.ledger)}`));
    before = older.ledger_before;
  }
  parts.push(partOf('\n]}\n'));
  return parts;
}

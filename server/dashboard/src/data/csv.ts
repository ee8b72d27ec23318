// Rows to CSV as RFC 4180 has it. A cell that a spreadsheet would run as a formula is disarmed.
import {partOf} from './download';

export type Cell = string | number | boolean | null | undefined;

export function csvCell(value: Cell): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  // Text from elsewhere must not become a formula when the file is opened; where people write wide
  // letters, spreadsheets take theirs, too.
  const safe = /^[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function csvLines(rows: readonly (readonly Cell[])[]): string {
  return rows.map(row => row.map(csvCell).join(',') + '\r\n').join('');
}

/** The columns of rows that come page by page, of which no more than one is here at a time. `told`
 * hears how many rows there are so far. */
export async function csvParts<Name extends string>(
  columns: readonly Name[],
  pages: AsyncIterable<readonly Readonly<Record<Name, Cell>>[]>,
  told: (rows: number) => void,
): Promise<Blob[]> {
  const parts = [partOf(csvLines([columns]))];
  let read = 0;
  for await (const rows of pages) {
    parts.push(partOf(csvLines(rows.map(row => columns.map(column => row[column])))));
    read += rows.length;
    told(read);
  }
  return parts;
}

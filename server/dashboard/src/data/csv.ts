// Rows to CSV as RFC 4180 has it. A cell that a spreadsheet would run as a formula is disarmed.

export type Cell = string | number | boolean | null | undefined;

export function csvCell(value: Cell): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  // Text from elsewhere must not become a formula when the file is opened.
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function csvLines(rows: readonly (readonly Cell[])[]): string {
  return rows.map(row => row.map(csvCell).join(',') + '\r\n').join('');
}

export function toCsv(columns: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return csvLines([columns, ...rows]);
}

// Usage as a chart: its choices, and what it tells those who hear it.
import * as counted from './counted';

export const name = (unit: string) => `${unit} a day; the arrow keys go from day to day`;
export const summary = (unit: string, total: string, days: number) =>
  `${unit} a day: ${total} over ${counted.days(days)}. The table below has the numbers.`;
export const table = (unit: string) => `${unit} by day`;
export const span = 'How far back';
export const measure = 'What is counted';
export const split = 'By what';
export const noErrors = 'No call failed in this time';
export const empty = 'No charged calls in this time';
export const spent = (total: string, calls: number | null, zone: string) =>
  `${total}${calls === null ? '' : ` for ${counted.calls(calls)}`}. Days are in ${zone}.`;

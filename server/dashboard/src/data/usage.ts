// Rows of usage into the columns of a chart: a day each, stacked by endpoint, key or source, the
// smallest as one; and how long what is left lasts at that pace.
import {compare} from './format';
import type {RequestRow, UsageRow} from '../api/types';
import {terms} from '../words';

export interface Stack {
  day: string;
  total: number;
  calls: number;
  /** One number for each series. */
  parts: number[];
}

export interface UsageChart {
  series: string[];
  stacks: Stack[];
  total: number;
  calls: number;
  highest: number;
}

export const otherSeries = terms.others;

/** What a stack's parts stand for, as `group_by` names it. */
export type Split = 'endpoint' | 'key' | 'source' | 'code';
export type Measure = 'credits' | 'calls' | 'errors';

type Row = Pick<UsageRow, 'group' | 'calls' | 'credits'> & {
  day?: string | null;
  endpoint?: string | null;
  key_id?: string | null;
  source?: string | null;
  code?: string | null;
};

type Failed = Pick<RequestRow, 'created_at' | 'endpoint' | 'key_id' | 'code'>;

/** Failed calls as rows of a chart; the days that had none have one, too. */
export function failedRows(calls: readonly Failed[], days: number, now = Date.now()): Row[] {
  const none = {group: '', calls: 0, credits: 0};
  const dayOf = (at: number) => new Date(at).toLocaleDateString('sv');
  return [
    ...Array.from({length: days}, (_, i) => ({...none, day: dayOf(now - i * 86_400_000)})),
    ...calls.map(one => ({...none, ...one, day: dayOf(Date.parse(one.created_at)), calls: 1})),
  ];
}

export interface ChartOptions {
  by?: Split;
  measure?: Measure;
  maxSeries?: number;
}

function dayAndPart(row: Row, by: Split): [string, string] {
  const [day = '', part = ''] = row.group.split(',');
  const named = by === 'key' ? row.key_id : row[by];
  return [row.day ?? day, named ?? (part === '*' ? otherSeries : part)];
}

export function chartOf(rows: readonly Row[], options: ChartOptions = {}): UsageChart {
  const {by = 'endpoint', maxSeries = 6} = options;
  const measure = (options.measure ?? 'credits') === 'credits' ? 'credits' : 'calls';
  const sums = new Map<string, number>();
  for (const row of rows) {
    const [, part] = dayAndPart(row, by);
    if (part !== '') sums.set(part, (sums.get(part) ?? 0) + row[measure]);
  }
  const rest = sums.delete(otherSeries);
  const ranked = [...sums].sort((a, b) => b[1] - a[1] || compare(a[0], b[0]));
  const cut = rest || ranked.length > maxSeries ? maxSeries - 1 : maxSeries;
  const series = ranked.slice(0, cut).map(([name]) => name);
  if (cut < maxSeries) series.push(otherSeries);

  const days = new Map<string, Stack>();
  for (const row of rows) {
    const [day, part] = dayAndPart(row, by);
    let stack = days.get(day);
    if (!stack) days.set(day, (stack = {day, total: 0, calls: 0, parts: series.map(() => 0)}));
    stack.total += row[measure];
    stack.calls += row.calls;
    const found = series.indexOf(part);
    const index = found >= 0 ? found : series.indexOf(otherSeries);
    if (index >= 0) stack.parts[index] = (stack.parts[index] ?? 0) + row[measure];
  }
  const stacks = [...days.values()].sort((a, b) => compare(a.day, b.day));
  return {
    series,
    stacks,
    total: stacks.reduce((sum, one) => sum + one.total, 0),
    calls: stacks.reduce((sum, one) => sum + one.calls, 0),
    highest: stacks.reduce((most, one) => Math.max(most, one.total), 0),
  };
}

/** What each day cost, the oldest first. */
export function creditsADay(rows: readonly Row[]): number[] {
  return chartOf(rows).stacks.map(stack => stack.total);
}

const paceDays = 7;

/** When the credits are used up at the pace of the last week; null where nothing was used. */
export function lastsUntil(
  available: number,
  usedADay: readonly number[],
  now = Date.now(),
): Date | null {
  const recent = usedADay.slice(-paceDays);
  const used = recent.reduce((sum, one) => sum + one, 0);
  if (used <= 0) return null;
  const days = (Math.max(0, available) * recent.length) / used;
  return new Date(now + Math.min(days, 3650) * 86_400_000);
}

/** A round number not below `value`, for the axis; it divides evenly into `steps`. */
export function axisTop(value: number, steps = 4): number {
  if (value <= steps) return steps;
  const rough = value / steps;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 3, 4, 5, 6, 8, 10]
    .map(n => n * power)
    .find(n => n >= rough && n % 1 === 0);
  return (step ?? Math.ceil(rough)) * steps;
}

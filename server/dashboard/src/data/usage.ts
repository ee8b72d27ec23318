// Rows of usage into the columns of a chart: a day each, stacked by endpoint, the smallest as one.
import type {UsageRow} from '../api/types';

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

export const otherSeries = 'other endpoints';

type Row = Pick<UsageRow, 'group' | 'calls' | 'credits'> & {
  day?: string | null;
  endpoint?: string | null;
};

function dayAndEndpoint(row: Row): [string, string] {
  const [day = '', endpoint = ''] = row.group.split(',');
  return [row.day ?? day, row.endpoint ?? endpoint];
}

export function chartOf(rows: readonly Row[], maxSeries = 6): UsageChart {
  const byEndpoint = new Map<string, number>();
  for (const row of rows) {
    const [, endpoint] = dayAndEndpoint(row);
    if (endpoint === '') continue;
    byEndpoint.set(endpoint, (byEndpoint.get(endpoint) ?? 0) + row.credits);
  }
  const ranked = [...byEndpoint].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]));
  const cut = ranked.length > maxSeries ? maxSeries - 1 : maxSeries;
  const series = ranked.slice(0, cut).map(([name]) => name);
  if (ranked.length > maxSeries) series.push(otherSeries);

  const days = new Map<string, Stack>();
  for (const row of rows) {
    const [day, endpoint] = dayAndEndpoint(row);
    let stack = days.get(day);
    if (!stack) days.set(day, (stack = {day, total: 0, calls: 0, parts: series.map(() => 0)}));
    stack.total += row.credits;
    stack.calls += row.calls;
    const found = series.indexOf(endpoint);
    const index = found >= 0 ? found : series.indexOf(otherSeries);
    if (index >= 0) stack.parts[index] = (stack.parts[index] ?? 0) + row.credits;
  }
  const stacks = [...days.values()].sort((a, b) => a.day.localeCompare(b.day));
  return {
    series,
    stacks,
    total: stacks.reduce((sum, one) => sum + one.total, 0),
    calls: stacks.reduce((sum, one) => sum + one.calls, 0),
    highest: stacks.reduce((most, one) => Math.max(most, one.total), 0),
  };
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

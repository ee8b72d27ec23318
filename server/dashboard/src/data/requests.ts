// The request log as its pages need it: filters to and from the address, a call as curl, and how
// long each source took beside the whole call.
import {compare} from './format';
import {shellQuoted} from './snippets';

export const filterNames = ['status', 'endpoint', 'key', 'mode', 'code', 'since'] as const;
export type FilterName = (typeof filterNames)[number];
export type RequestFilter = Partial<Record<FilterName, string>>;

/** What takes all of them out of an address. */
export const unfiltered = Object.fromEntries(filterNames.map(name => [name, '']));

/** What of the address is a filter. */
export function filterOf(query: URLSearchParams): RequestFilter {
  const filter: RequestFilter = {};
  for (const name of filterNames) {
    const value = query.get(name)?.trim();
    if (value) filter[name] = value;
  }
  return filter;
}

/** The address's query with some of it changed; "" takes a part out. */
export function changedQuery(query: URLSearchParams, change: Record<string, string>): string {
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(change)) {
    if (value.trim() === '') next.delete(name);
    else next.set(name, value.trim());
  }
  const text = next.toString();
  return text === '' ? '' : `?${text}`;
}

/** A body as it was sent, byte by byte, in a call of curl. */
export function curlOf(baseUrl: string, endpoint: string, body: string): string {
  return [
    `curl -s ${baseUrl}/v1/${endpoint} \\`,
    '  -H "Authorization: Bearer $FRESHET_API_KEY" \\',
    "  -H 'Content-Type: application/json' \\",
    `  -d ${shellQuoted(body)}`,
  ].join('\n');
}

/** Where the call is made again: the playground, filled in with what was sent. */
export function playgroundOf(endpoint: string, mode: string, body: string | null): string {
  const query = new URLSearchParams({mode, ...(body === null ? {} : {body})});
  return `/dashboard/playground/${endpoint}?${query.toString()}`;
}

/** A body as the playground's form can take it: an object, or nothing. */
export function bodyIn(text: string | null): Record<string, unknown> | null {
  if (text === null) return null;
  try {
    const read: unknown = JSON.parse(text);
    const isObject = typeof read === 'object' && read !== null && !Array.isArray(read);
    return isObject ? (read as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** Of the whole call, in percent; what took no time is still seen. */
export function shareOf(elapsedMs: number, wholeMs: number): number {
  if (wholeMs <= 0) return 100;
  return Math.max(1, Math.min(100, Math.round((100 * elapsedMs) / wholeMs)));
}

export function statusKind(status: number): 'ok' | 'warn' | 'off' {
  if (status < 300) return 'ok';
  return status < 500 ? 'warn' : 'off';
}

/** How often each value occurs, the most frequent first. */
export function countsOf<T>(rows: readonly T[], valueOf: (row: T) => string): [string, number][] {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(valueOf(row), (counts.get(valueOf(row)) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || compare(a[0], b[0]));
}

export interface Durations {
  endpoint: string;
  calls: number;
  /** Half of them, and 95 of 100, took so long at most. */
  median: number;
  p95: number;
}

/** How long calls took, by endpoint, the most frequent first. */
export function durationsOf(
  rows: readonly {endpoint: string; elapsed_ms: number}[],
  most: number,
): Durations[] {
  return countsOf(rows, row => row.endpoint)
    .slice(0, most)
    .map(([endpoint, calls]) => {
      const own = rows.filter(row => row.endpoint === endpoint).map(row => row.elapsed_ms);
      own.sort((a, b) => a - b);
      const within = (share: number) => own[Math.ceil(share * calls) - 1] ?? 0;
      return {endpoint, calls, median: within(0.5), p95: within(0.95)};
    });
}

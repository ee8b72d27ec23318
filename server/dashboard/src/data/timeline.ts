// Where an answer's items lie in time, a row for each source: what the map of sources draws.
import {compare} from './format';

export interface Dot {
  id: string;
  title: string;
  url: string | null;
  at: string;
  /** From 0, the oldest, to 1, the newest. */
  place: number;
}

export interface Timeline {
  rows: {source: string; dots: Dot[]}[];
  from: string;
  to: string;
  /** Items whose time nobody has said. */
  undated: number;
}

interface Dated {
  id: string;
  source?: string;
  title?: string | null;
  text?: string | null;
  url?: string | null;
  created_at?: string | null;
}

const maxTitle = 80;

/** Null where fewer than two items have a time: there is nothing to compare. */
export function timelineOf(items: readonly Dated[]): Timeline | null {
  const dated = items.flatMap(item => {
    const time = Date.parse(item.created_at ?? '');
    return Number.isNaN(time) ? [] : [{item, time}];
  });
  if (dated.length < 2) return null;
  const first = dated.reduce((least, one) => Math.min(least, one.time), Infinity);
  const last = dated.reduce((most, one) => Math.max(most, one.time), -Infinity);
  const rows = new Map<string, Dot[]>();
  for (const {item, time} of dated) {
    const source = item.source ?? '';
    const dots = rows.get(source) ?? [];
    rows.set(source, dots);
    dots.push({
      id: item.id,
      title: (item.title || item.text || item.id).slice(0, maxTitle),
      url: item.url ?? null,
      at: item.created_at ?? '',
      place: last === first ? 0.5 : (time - first) / (last - first),
    });
  }
  return {
    rows: [...rows]
      .map(([source, dots]) => ({source, dots}))
      .sort((a, b) => b.dots.length - a.dots.length || compare(a.source, b.source)),
    from: new Date(first).toISOString(),
    to: new Date(last).toISOString(),
    undated: items.length - dated.length,
  };
}

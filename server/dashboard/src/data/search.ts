// Searching the guides and the reference: every word must occur; where it occurs decides the order.
import type {Endpoint, ErrorCode, OpenApi} from './openapi';
import {fragments} from '../words';

export interface Entry {
  to: string;
  title: string;
  kind: 'guide' | 'endpoint' | 'parameter' | 'object' | 'error';
  text: string;
}

export function entriesOf(
  document: OpenApi,
  endpoints: readonly Endpoint[],
  errors: readonly ErrorCode[],
): Entry[] {
  const entries: Entry[] = [];
  for (const one of endpoints) {
    const to = `/docs/${one.path}`;
    const text = `${one.summary} ${one.description}`;
    entries.push({to, title: one.path, kind: 'endpoint', text});
    for (const {name, schema} of one.parameters) {
      const about = `${one.path} ${schema.description ?? ''}`;
      const at = `${to}#parameter-${name}`;
      entries.push({
        to: at,
        title: fragments.parameterOf(name, one.path),
        kind: 'parameter',
        text: about,
      });
    }
  }
  for (const name of new Set(endpoints.flatMap(one => one.answers.objects))) {
    const schema = document.components.schemas[name];
    const keys = Object.keys(schema?.properties ?? {}).join(' ');
    const text = `${schema?.description ?? ''} ${keys}`;
    entries.push({to: `/docs/objects/${name}`, title: name, kind: 'object', text});
  }
  for (const one of errors) {
    const text = `${one.status} ${one.title} ${one.help}`;
    entries.push({to: `/docs/errors/${one.code}`, title: one.code, kind: 'error', text});
  }
  return entries;
}

const weight = {guide: 0, endpoint: 0, object: 1, error: 1, parameter: 2};

export function search(entries: readonly Entry[], query: string, most = 12): Entry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const scored: [number, Entry][] = [];
  for (const entry of entries) {
    const title = entry.title.toLowerCase();
    const text = entry.text.toLowerCase();
    if (!words.every(word => title.includes(word) || text.includes(word))) continue;
    const missed = words.filter(word => !title.includes(word)).length;
    const begins = title.startsWith(words[0] ?? '') ? 0 : 1;
    scored.push([missed * 10 + weight[entry.kind] * 2 + begins, entry]);
  }
  return scored
    .sort((a, b) => a[0] - b[0])
    .slice(0, most)
    .map(([, entry]) => entry);
}

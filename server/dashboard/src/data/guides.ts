// The guides that the build has embedded, and their parts, which are linked to and searched.
import type {Entry} from './search';
import {shell} from '../words';

export interface Guide {
  name: string;
  title: string;
  about: string;
  /** Markdown; its first line is the title. */
  text: string;
}

export const guidesPath = '/docs/guides.json';

/** The fragment of a heading's address, as those make it who show such files in a repository. */
export function slugOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}

interface GuidePart {
  /** "" for what stands before the first heading. */
  title: string;
  text: string;
}

/** A guide by its second-level headings; those within code are none. */
export function partsOf(markdown: string): GuidePart[] {
  const parts: GuidePart[] = [{title: '', text: ''}];
  let inCode = false;
  for (const line of markdown.split('\n').slice(1)) {
    if (line.startsWith('```')) inCode = !inCode;
    const heading = inCode ? null : /^## (.+)$/.exec(line);
    if (heading) parts.push({title: heading[1] ?? '', text: ''});
    else parts[parts.length - 1]!.text += `${line}\n`;
  }
  return parts;
}

/** What the search of the reference finds of them. */
export function guideEntries(guides: readonly Guide[]): Entry[] {
  return guides.flatMap(({name, title, about, text}) =>
    partsOf(text).map(part => ({
      to: `/docs/guides/${name}${part.title === '' ? '' : `#${slugOf(part.title)}`}`,
      title: part.title === '' ? title : shell.partOfGuide(part.title, title),
      kind: 'guide' as const,
      text: part.title === '' ? `${about} ${part.text}` : part.text,
    })),
  );
}

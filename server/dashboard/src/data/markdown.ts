// Markdown into a tree, for showing a document: the blocks and spans that our own writer makes.
// HTML in it stays text; an image becomes a link, since the page loads nothing from elsewhere.
import {fragments} from '../words';

export type Span =
  | {kind: 'text' | 'code'; text: string}
  | {kind: 'strong' | 'emphasis' | 'deleted'; spans: Span[]}
  | {kind: 'link'; url: string; spans: Span[]};

export type Block =
  | {kind: 'heading'; level: number; spans: Span[]}
  | {kind: 'paragraph'; spans: Span[]}
  | {kind: 'code'; text: string}
  | {kind: 'rule'}
  | {kind: 'quote'; blocks: Block[]}
  | {kind: 'list'; ordered: boolean; start: number; items: Block[][]}
  | {kind: 'table'; head: Span[][]; rows: Span[][][]};

/** Of a longer document only so many characters are shown. */
export const maxShownLength = 200_000;

const maxDepth = 8;
const maxSpans = 4;
/** No span is longer, so that a page of asterisks costs little. */
const maxSpanLength = 2048;

/** Only addresses that a link may lead to, elsewhere or to our own guides; "" otherwise. */
export function safeUrl(url: string): string {
  return /^(https?:|mailto:|\/docs\/)/i.test(url.trim()) ? url.trim() : '';
}

const patterns: [RegExp, (found: RegExpExecArray, depth: number) => Span][] = [
  [/^\\([!-/:-@[-`{-~])/, found => ({kind: 'text', text: found[1] ?? ''})],
  [/^(`+)(.+?)\1(?!`)/s, found => ({kind: 'code', text: (found[2] ?? '').trim()})],
  [
    /^!\[((?:\\.|[^\]\\])*)\]\(<?([^\s)>]*)>?(?:\s+"[^"]*")?\)/,
    found => {
      const spans: Span[] = [{kind: 'text', text: fragments.image(found[1] ?? '')}];
      return {kind: 'link', url: safeUrl(found[2] ?? ''), spans};
    },
  ],
  [
    /^\[((?:\\.|\[[^\]]*\]|[^\]\\[])*)\]\(<?([^\s)>]*)>?(?:\s+"[^"]*")?\)/,
    (found, depth) => ({
      kind: 'link',
      url: safeUrl(found[2] ?? ''),
      spans: spansOf(found[1] ?? '', depth + 1),
    }),
  ],
  [
    /^<((?:https?:|mailto:)[^\s<>]+)>/,
    found => ({
      kind: 'link',
      url: safeUrl(found[1] ?? ''),
      spans: [{kind: 'text', text: found[1] ?? ''}],
    }),
  ],
  [/^\*\*(?=\S)(.+?)\*\*(?!\*)/s, wrapped('strong')],
  [/^__(?=\S)(.+?)__(?!\w)/s, wrapped('strong')],
  [/^\*(?=\S)(.+?)\*(?!\*)/s, wrapped('emphasis')],
  [/^_(?=\S)(.+?)_(?!\w)/s, wrapped('emphasis')],
  [/^~~(?=\S)(.+?)~~/s, wrapped('deleted')],
];

function wrapped(kind: 'strong' | 'emphasis' | 'deleted') {
  return (found: RegExpExecArray, depth: number): Span => ({
    kind,
    spans: spansOf(found[1] ?? '', depth + 1),
  });
}

/** A paragraph's text to spans. */
export function spansOf(text: string, depth = 0): Span[] {
  const spans: Span[] = [];
  let plain = '';
  let at = 0;
  const flush = () => {
    if (plain !== '') spans.push({kind: 'text', text: plain});
    plain = '';
  };
  while (at < text.length) {
    const next = text.slice(at).search(/[\\`![<*_~]/);
    if (next < 0 || depth >= maxSpans) break;
    plain += text.slice(at, at + next);
    at += next;
    const rest = text.slice(at, at + maxSpanLength);
    // No more than the last character, so that each underscore costs the same.
    const before = text.slice(Math.max(0, at - 2), at);
    const inWord = rest.startsWith('_') && /[\p{L}\p{N}]$/u.test(before);
    let matched = false;
    for (const [pattern, make] of inWord ? [] : patterns) {
      const found = pattern.exec(rest);
      if (found === null) continue;
      flush();
      spans.push(make(found, depth));
      at += found[0].length;
      matched = true;
      break;
    }
    if (!matched) plain += text.charAt(at++);
  }
  plain += text.slice(at);
  flush();
  return spans;
}

const fence = /^(`{3,}|~{3,})/;
const marker = /^(\s{0,3})([-*+]|\d{1,9}[.)])(\s+|$)/;
const rule = /^\s{0,3}([-*_])(\s*\1){2,}\s*$/;
const tableRule = /^\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?$/;

/** A heading's text without the number signs that close it. */
function unclosed(text: string): string {
  let end = text.length;
  while (text.charAt(end - 1) === '#') --end;
  return end > 0 && /\s/.test(text.charAt(end - 1)) ? text.slice(0, end).trimEnd() : text;
}

function cells(line: string): Span[][] {
  const inner = line.trim().replace(/^\|/, '').replace(/\|$/, '');
  return inner.split(/(?<!\\)\|/).map(cell => spansOf(cell.trim().replaceAll('\\|', '|')));
}

class Reader {
  at = 0;
  constructor(
    readonly lines: string[],
    readonly depth: number,
  ) {}

  line(ahead = 0): string {
    return this.lines[this.at + ahead] ?? '';
  }
  get done(): boolean {
    return this.at >= this.lines.length;
  }

  blocks(): Block[] {
    const blocks: Block[] = [];
    for (this.skipBlank(); !this.done; this.skipBlank()) blocks.push(this.block());
    return blocks;
  }

  /** Goes to the next line that is not blank; how many it has passed. */
  skipBlank(): number {
    const from = this.at;
    while (!this.done && this.line().trim() === '') ++this.at;
    return this.at - from;
  }

  block(): Block {
    const line = this.line();
    const heading = /^\s{0,3}(#{1,6})\s+(.*)$/.exec(line);
    if (heading) {
      ++this.at;
      return {
        kind: 'heading',
        level: heading[1]?.length ?? 1,
        spans: spansOf(unclosed((heading[2] ?? '').trim())),
      };
    }
    if (fence.test(line.trimStart())) return this.code();
    if (rule.test(line)) {
      ++this.at;
      return {kind: 'rule'};
    }
    if (this.depth < maxDepth && /^\s{0,3}>/.test(line)) return this.quote();
    if (this.depth < maxDepth && marker.test(line)) return this.list();
    if (line.includes('|') && tableRule.test(this.line(1).trim())) return this.table();
    return this.paragraph();
  }

  code(): Block {
    const indent = this.line().length - this.line().trimStart().length;
    const opened = fence.exec(this.line().trimStart())?.[1] ?? '```';
    const kept: string[] = [];
    for (++this.at; !this.done; ++this.at) {
      const closes = this.line().trim();
      if (closes.startsWith(opened) && closes.replaceAll(opened.charAt(0), '') === '') break;
      kept.push(this.line().slice(Math.min(indent, this.line().search(/\S|$/))));
    }
    ++this.at;
    return {kind: 'code', text: kept.join('\n')};
  }

  quote(): Block {
    const kept: string[] = [];
    for (; !this.done && /^\s{0,3}>/.test(this.line()); ++this.at) {
      kept.push(this.line().replace(/^\s{0,3}>\s?/, ''));
    }
    return {kind: 'quote', blocks: new Reader(kept, this.depth + 1).blocks()};
  }

  list(): Block {
    const first = marker.exec(this.line());
    const ordered = /\d/.test(first?.[2] ?? '');
    const items: Block[][] = [];
    while (!this.done) {
      const found = marker.exec(this.line());
      if (!found || /\d/.test(found[2] ?? '') !== ordered || rule.test(this.line())) break;
      items.push(this.item(found[0].length));
    }
    return {kind: 'list', ordered, start: parseInt(first?.[2] ?? '1', 10) || 1, items};
  }

  /** An item: its line without the marker, and what is indented below it. */
  item(width: number): Block[] {
    const kept = [this.line().slice(width)];
    const least = Math.min(width, 2);
    ++this.at;
    while (!this.done) {
      const blank = this.skipBlank();
      const line = this.line();
      const indent = line.search(/\S|$/);
      if (blank > 0 && indent < least) break;
      for (let i = 0; i < blank; ++i) kept.push('');
      if (indent < least && (marker.test(line) || kept[kept.length - 1] === '')) break;
      kept.push(indent < least ? line : line.slice(Math.min(indent, width)));
      ++this.at;
    }
    return new Reader(kept, this.depth + 1).blocks();
  }

  table(): Block {
    const head = cells(this.line());
    this.at += 2;
    const rows: Span[][][] = [];
    for (; !this.done && this.line().includes('|'); ++this.at) rows.push(cells(this.line()));
    return {kind: 'table', head, rows};
  }

  paragraph(): Block {
    const kept = [this.line().trim()];
    for (++this.at; !this.done; ++this.at) {
      const line = this.line();
      const starts = /^\s{0,3}(#{1,6}\s|>)/.test(line) || fence.test(line.trimStart());
      if (line.trim() === '' || starts || marker.test(line) || rule.test(line)) break;
      kept.push(line.trim());
    }
    return {kind: 'paragraph', spans: spansOf(kept.join(' '))};
  }
}

export function blocksOf(markdown: string): Block[] {
  return new Reader(markdown.split(/\r?\n/), 0).blocks();
}

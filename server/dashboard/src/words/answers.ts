// What a call answered: its sources, its items, the call as code.
import {number} from '../data/format';
import * as counted from './counted';

export const none = 'No call yet. It will look like this:';
export const calling = 'Calling…';
export const arriving = (items: number, sources: number) =>
  `Calling… ${counted.items(items)} of ${counted.sources(sources)}`;
export const summary = (items: number | null, pages: number, credits: number, ms: number) =>
  [
    ...(items === null ? [] : [counted.items(items)]),
    ...(pages > 1 ? [counted.pages(pages)] : []),
    counted.credits(credits),
    `${number(ms)} ms`,
  ].join(', ');
export const gave = (sources: number, all: number, notes: number) =>
  `${number(sources)} of ${counted.sources(all)} gave something` +
  (notes > 0 ? `, ${counted.notes(notes)}` : '');
export const read = (items: number, read: number) =>
  `${number(items)} of ${counted.items(read)} read`;
export const sourceFailed = 'Partial: a source failed';
export const sourceLimited = 'Partial: a source was limited';
export const sourceNotConfigured = 'Partial: a source is not configured';
export const empty = 'No results';
export const emptyHelp = 'An empty first page costs nothing. Try fewer words or a longer time.';
export const unmatched = 'No match in what was read';
export const unmatchedHelp = (read: number) =>
  `${counted.items(read)} read, and none is what you asked for. An empty first page costs nothing.`;
export const mcpHelp = 'A message to `freshet mcp`, over standard input and output.';
export const mcpHelpOver =
  'A message to `freshet mcp`, over standard input and output, or to `/mcp` of this server.';
export const snippet = (language: string) => `The call with ${language}`;
export const snippets = 'The call as code';
export const name = 'The answer';
export const markdown = 'The markdown';
export const tokens = (count: number) => `About ${counted.tokens(count)}`;
export const undated = 'Too few of these items have a time';
export const withoutTime = (items: number) => `${counted.items(items)} without a time`;
export const removed = 'It was deleted or removed; what answers it is still there.';
export const value = 'The value';
export const valuePlaces = 'Where the values come from';
export const missing = (names: readonly string[]) =>
  `Required and not on the page: ${names.join(', ')}`;
export const transcript = 'What is said, by its time';

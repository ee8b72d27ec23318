// The front page, for who has no account.
import {number} from '../data/format';
import * as counted from './counted';

export const title = 'One API over public-data platforms';
export const lead =
  'One key, one JSON shape, one way to page and one error model, for programs and agents.';
export const calls = 'A call of each platform';
export const live = 'What the sandbox answers';
export const recorded = 'As it was recorded';
export const said = (items: number, shown: number, credits: number, ms: number) => {
  const first = items > shown ? `; the first ${shown} are here` : '';
  return `${counted.items(items)}, ${counted.credits(credits)}, ${number(ms)} ms${first}`;
};
export const takes = (summary: string, path: string) =>
  `${summary}. [What ${path} takes](/docs/${path})`;
export const agents = 'For agents';
export const agentsHelp =
  'Every endpoint is a tool of the Model Context Protocol, at `/mcp` of this server, with the ' +
  'same key.';
export const agentsCode = 'How to add it to Claude Code';
export const claudeCode = 'Claude Code';
export const hosts = 'Hosts of agents';
export const addTo = (host: string) => `Add to ${host}`;
export const cursorHelp =
  'Cursor asks before it adds the server, and takes the key from `FRESHET_API_KEY` in the ' +
  'environment that it was started with.';
export const codeHelp = 'VS Code asks before it adds the server, then for the key, and keeps both.';
export const orWrite = (file: string) => `Or write it yourself, into \`${file}\`:`;
export const agentsMore =
  '[Other agents](/docs/guides/agents), [the docs as text](/llms.txt) and ' +
  '[as OpenAPI](/openapi.json).';

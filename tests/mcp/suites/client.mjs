// The official TypeScript client at a server with a key: what a host of agents does in a session.
// Prints what it saw as JSON. Usage: node client.mjs URL KEY
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const [url, key] = process.argv.slice(2);
const transport = () =>
  new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { Authorization: `Bearer ${key}` } },
  });
const client = new Client({ name: 'freshet-tests', version: '1.0.0' });
const first = transport();
await client.connect(first);

const progress = [];
const { tools } = await client.listTools();
const found = await client.callTool(
  { name: 'news_search', arguments: { q: 'climate', limit: 2 } },
  undefined,
  { onprogress: (told) => progress.push(told.progress) },
);
const misspelt = { q: 'climate', sinse: '7d' };
const wrong = await client.callTool({ name: 'news_search', arguments: misspelt });
const address = 'https://example.com/tide-gauges';
const page = await client.readResource({ uri: `freshet://document/${address}` });
const { prompts } = await client.listPrompts();
const prompt = await client.getPrompt({ name: prompts[0].name, arguments: { topic: 'tides' } });
const completed = await client.complete({
  ref: { type: 'ref/prompt', name: prompts[0].name },
  argument: { name: 'since', value: '3' },
});
await client.setLoggingLevel('error');
const unknown = await client
  .callTool({ name: 'nope', arguments: {} })
  .catch((error) => error.code);
const session = first.sessionId;
await first.terminateSession();
await client.close();

// A call that the client gives up.
const second = new Client({ name: 'freshet-tests', version: '1.0.0' });
await second.connect(transport());
const given = new AbortController();
const tides = { name: 'forum_search', arguments: { q: 'tides' } };
const aborted = second
  .callTool(tides, undefined, { signal: given.signal })
  .catch(() => 'aborted');
given.abort();
const ended = await aborted;
await second.ping();
await second.close();

console.log(
  JSON.stringify({
    server: client.getServerVersion(), tools: tools.length, found, progress, wrong, page, prompt,
    completed, unknown, session, ended,
  }),
);

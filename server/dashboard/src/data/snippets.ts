// One call, written for each door. A key is never written into a snippet; it is read from where
// secrets belong.

export interface Snippet {
  name: string;
  language: string;
  text: string;
}

/** In single quotes for a POSIX shell. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

export function pythonLiteral(value: unknown): string {
  if (value === null) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(', ')}]`;
  // JSON's escapes of a string are also Python's.
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

/** A raw string of C++ whose delimiter does not occur in it. */
export function cppRawString(text: string): string {
  let delimiter = '';
  while (text.includes(`)${delimiter}"`)) delimiter += '-';
  return `R"${delimiter}(${text})${delimiter}"`;
}

function curl(baseUrl: string, endpoint: string, body: object): string {
  return [
    `curl -s ${baseUrl}/v1/${endpoint} \\`,
    '  -H "Authorization: Bearer $FRESHET_API_KEY" \\',
    "  -H 'Content-Type: application/json' \\",
    `  -d ${shellQuoted(JSON.stringify(body))}`,
  ].join('\n');
}

function python(baseUrl: string, endpoint: string, body: Record<string, unknown>, list: boolean) {
  const given = Object.entries(body).map(([name, value]) => `${name}=${pythonLiteral(value)}`);
  const call = [JSON.stringify(endpoint), ...given].join(', ');
  const use = list
    ? [`for item in client.items(${call}):`, '    print(item["id"], item["url"])']
    : [`answer = client.call(${call})`, 'print(answer["data"])'];
  return [
    'import os',
    '',
    'from freshet import Freshet',
    '',
    `client = Freshet(${JSON.stringify(baseUrl)}, os.environ["FRESHET_API_KEY"])`,
    ...use,
  ].join('\n');
}

function cpp(baseUrl: string, endpoint: string, body: object): string {
  return [
    '#include <freshet/engine.hpp>',
    '#include <iostream>',
    '',
    'int main(int, char** arguments) {  // the key is the first argument',
    `  auto client = freshet::connect(${JSON.stringify(baseUrl)}, arguments[1]);`,
    '  if (!client) return 1;',
    '  freshet::request what;',
    `  what.endpoint = ${JSON.stringify(endpoint)};`,
    `  what.body = ${cppRawString(JSON.stringify(body))};`,
    '  const freshet::response answer = (*client)->call(what);',
    "  std::cout << answer.body << '\\n';",
    '  return answer.status == 200 ? 0 : 1;',
    '}',
  ].join('\n');
}

function javascript(baseUrl: string, endpoint: string, body: object): string {
  return [
    `const answer = await fetch(${JSON.stringify(`${baseUrl}/v1/${endpoint}`)}, {`,
    "  method: 'POST',",
    '  headers: {',
    '    Authorization: `Bearer ${process.env.FRESHET_API_KEY}`,',
    "    'Content-Type': 'application/json',",
    '  },',
    `  body: JSON.stringify(${JSON.stringify(body)}),`,
    '});',
    'if (!answer.ok) throw new Error((await answer.json()).detail);',
    'console.log((await answer.json()).data);',
  ].join('\n');
}

function go(baseUrl: string, endpoint: string, body: object): string {
  // JSON's escapes of a string are also Go's.
  return [
    'package main',
    '',
    'import (',
    '\t"io"',
    '\t"net/http"',
    '\t"os"',
    '\t"strings"',
    ')',
    '',
    'func main() {',
    `\tbody := strings.NewReader(${JSON.stringify(JSON.stringify(body))})`,
    `\task, err := http.NewRequest("POST", ${JSON.stringify(`${baseUrl}/v1/${endpoint}`)}, body)`,
    '\tif err != nil {',
    '\t\tpanic(err)',
    '\t}',
    '\task.Header.Set("Authorization", "Bearer "+os.Getenv("FRESHET_API_KEY"))',
    '\task.Header.Set("Content-Type", "application/json")',
    '\tanswer, err := http.DefaultClient.Do(ask)',
    '\tif err != nil {',
    '\t\tpanic(err)',
    '\t}',
    '\tdefer answer.Body.Close()',
    '\tio.Copy(os.Stdout, answer.Body)',
    '}',
  ].join('\n');
}

function c(baseUrl: string, endpoint: string, body: object): string {
  // JSON's escapes of a string are also C's.
  const [url, path, sent] = [baseUrl, endpoint, JSON.stringify(body)].map(one =>
    JSON.stringify(one),
  );
  return [
    '#include <freshet.h> /* cc call.c -lfreshet */',
    '#include <stdio.h>',
    '#include <stdlib.h>',
    '',
    'int main(void) {',
    '  const char* key = getenv("FRESHET_API_KEY");',
    '  freshet_client* client = NULL;',
    '  freshet_result* opened =',
    `      freshet_connect(FRESHET_ABI, ${url}, FRESHET_NTS,`,
    '                      key, FRESHET_NTS, NULL, NULL, &client);',
    '  freshet_result* answer =',
    `      freshet_client_call(client, ${path}, FRESHET_NTS, ${sent}, FRESHET_NTS, NULL, 0);`,
    '  puts(freshet_result_body(answer, NULL));',
    '  freshet_result_free(&answer), freshet_result_free(&opened), freshet_client_free(&client);',
    '  return 0;',
    '}',
  ].join('\n');
}

function commandLine(baseUrl: string, endpoint: string, body: object): string {
  return [
    `freshet call ${endpoint} ${shellQuoted(JSON.stringify(body))} \\`,
    `  --server ${baseUrl} --key "$FRESHET_API_KEY"`,
  ].join('\n');
}

function mcp(operation: string, body: object): string {
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: {name: operation, arguments: body},
  };
  return JSON.stringify(call, null, 2);
}

export interface SnippetOf {
  baseUrl: string;
  endpoint: string;
  operation: string;
  list: boolean;
  body: Record<string, unknown>;
}

export function snippetsOf({baseUrl, endpoint, operation, list, body}: SnippetOf): Snippet[] {
  return [
    {name: 'curl', language: 'shell', text: curl(baseUrl, endpoint, body)},
    {name: 'Python', language: 'python', text: python(baseUrl, endpoint, body, list)},
    {name: 'JavaScript', language: 'javascript', text: javascript(baseUrl, endpoint, body)},
    {name: 'Go', language: 'go', text: go(baseUrl, endpoint, body)},
    {name: 'C++', language: 'cpp', text: cpp(baseUrl, endpoint, body)},
    {name: 'C', language: 'c', text: c(baseUrl, endpoint, body)},
    {name: 'Command line', language: 'shell', text: commandLine(baseUrl, endpoint, body)},
    {name: 'MCP', language: 'json', text: mcp(operation, body)},
  ];
}

/** What adds a server's tools to Claude Code. */
export function agentCommand(baseUrl: string): string {
  return [
    `claude mcp add --transport http freshet ${baseUrl}/mcp \\`,
    '  --header "Authorization: Bearer $FRESHET_API_KEY"',
  ].join('\n');
}

interface AgentHost {
  name: string;
  /** Opens the program, which asks whether to add the server. */
  link: string;
  /** Its file of servers, for who would rather write it. */
  file: string;
  text: string;
}

/** Programs that take a server from a link. Cursor reads the key where it runs, VS Code asks. */
export function agentHosts(baseUrl: string): AgentHost[] {
  const server = (key: string) => ({
    url: `${baseUrl}/mcp`,
    headers: {Authorization: `Bearer ${key}`},
  });
  const written = (value: object) => JSON.stringify(value, null, 2);
  const cursor = server('${env:FRESHET_API_KEY}');
  const code = {type: 'http', ...server('${input:freshet_key}')};
  const inputs = [
    {type: 'promptString', id: 'freshet_key', description: 'FRESHET_API_KEY', password: true},
  ];
  const config = encodeURIComponent(btoa(JSON.stringify(cursor)));
  const asked = encodeURIComponent(JSON.stringify({name: 'freshet', ...code, inputs}));
  return [
    {
      name: 'Cursor',
      link: `cursor://anysphere.cursor-deeplink/mcp/install?name=freshet&config=${config}`,
      file: '~/.cursor/mcp.json',
      text: written({mcpServers: {freshet: cursor}}),
    },
    {
      name: 'VS Code',
      link: `vscode:mcp/install?${asked}`,
      file: '.vscode/mcp.json',
      text: written({inputs, servers: {freshet: code}}),
    },
  ];
}

/** Behind the variable that it reads its key from. */
export function withKey(key: string | null, curl: string): string {
  return `export FRESHET_API_KEY=${key ?? 'frs_test_…'}\n${curl}`;
}

// mdream's speed on a folder of pages: node mdream.mjs PACKAGE_FOLDER PAGES_FOLDER
// Prints megabytes a second of processor time, the best of several rounds, as JSON. It is measured
// as it is used for language models: with `minimal`, which isolates the main content.
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';

const [packages, folder] = process.argv.slice(2);
const require = createRequire(path.join(packages, 'package.json'));
const { htmlToMarkdown } = await import(pathToFileURL(require.resolve('mdream')).href);

const pages = fs.readdirSync(folder).filter((name) => /\.html(\.gz)?$/.test(name)).map((name) => {
  const bytes = fs.readFileSync(path.join(folder, name));
  return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
});
const megabytes = pages.reduce((sum, page) => sum + Buffer.byteLength(page), 0) / 1e6;
let best = Infinity;
for (let round = 0; round < 4; round++) {
  const from = process.cpuUsage();
  for (const page of pages) htmlToMarkdown(page, { minimal: true });
  const spent = process.cpuUsage(from);
  best = Math.min(best, (spent.user + spent.system) / 1e6);
}
console.log(JSON.stringify({ megabytes_per_second: megabytes / best }));

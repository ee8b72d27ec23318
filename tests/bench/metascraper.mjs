// What metascraper says of pages: metascraper.mjs HOME PAGES META OUT. HOME has its packages.
import {createRequire} from 'node:module';
import {readFileSync, writeFileSync} from 'node:fs';
import {join, resolve} from 'node:path';

const [home, pages, meta, out] = process.argv.slice(2);
const require = createRequire(join(resolve(home), 'package.json'));
const load = (name) => require(name).default ?? require(name);
const scrape = load('metascraper')(
    ['author', 'date', 'title'].map((part) => load(`metascraper-${part}`)()));

const said = {};
for (const [page, facts] of Object.entries(JSON.parse(readFileSync(meta, 'utf8')))) {
  const html = readFileSync(join(pages, `${page}.html`), 'utf8');
  try {
    const found = await scrape({html, url: facts.url ?? 'http://localhost/'});
    said[page] = {title: found.title, authors: found.author ? [found.author] : [],
                  created_at: found.date};
  } catch {
    said[page] = {};  // a page on which it fails is a page it says nothing of
  }
}
writeFileSync(out, JSON.stringify(said));

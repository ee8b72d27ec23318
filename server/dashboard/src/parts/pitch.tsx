// What Freshet is, for whoever has no account yet.
import {Link} from '../app/router';

const facts: [string, string][] = [
  ['One key, every platform', 'Microblogs, web search, pages as markdown, forums, videos, news.'],
  ['One shape', 'The same JSON, paging and errors wherever the answer comes from.'],
  [
    'Only success is charged',
    'Errors, empty pages and dry runs cost nothing; the ledger proves it.',
  ],
  ['A sandbox', 'A test key reaches recorded answers, without network and credits.'],
];

export function Pitch() {
  return (
    <aside class="pitch" aria-label="About Freshet">
      <dl>
        {facts.map(([title, text]) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <p>
        <Link href="/docs">Read the reference</Link>
      </p>
    </aside>
  );
}

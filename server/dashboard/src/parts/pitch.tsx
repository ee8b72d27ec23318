// What Freshet is, for whoever has no account yet.
import {Link} from '../app/router';
import {actions, pitch as words} from '../words';

const facts: [string, string][] = [
  [words.key, words.keyHelp],
  [words.shape, words.shapeHelp],
  [words.charge, words.chargeHelp],
  [words.sandbox, words.sandboxHelp],
];

export function Pitch() {
  return (
    <aside class="pitch" aria-label={words.name}>
      <dl>
        {facts.map(([title, text]) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <p>
        <Link href="/docs">{actions.readDocs}</Link>
      </p>
    </aside>
  );
}

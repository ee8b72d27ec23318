// The search field of the docs and what it found.
import {useMemo, useState} from 'preact/hooks';
import type {Reference} from '../app/reference';
import {Link} from '../app/router';
import {guideEntries, type Guide} from '../data/guides';
import {entriesOf, search} from '../data/search';
import {TextField} from '../parts/field';
import {actions, counted, shell} from '../words';

interface Props {
  reference: Reference;
  guides: readonly Guide[];
}

export function Search({reference, guides}: Props) {
  const [query, setQuery] = useState('');
  const asked = query.trim() !== '';
  const entries = useMemo(
    () =>
      // All that there is to find is read only for who looks for something.
      asked
        ? [
            ...entriesOf(reference.document, reference.endpoints, reference.errors),
            ...guideEntries(guides),
          ]
        : [],
    [reference, guides, asked],
  );
  const found = search(entries, query);
  return (
    <div class="search" role="search">
      <TextField label={actions.searchDocs} type="search" value={query} onValue={setQuery} />
      <p class="visually-hidden" role="status">
        {asked ? counted.results(found.length) : ''}
      </p>
      {asked && found.length === 0 && <p class="help">{shell.nothingFound}</p>}
      {found.length > 0 && (
        <ul class="found">
          {found.map(one => (
            <li key={one.to}>
              <Link href={one.to} onClick={() => setQuery('')}>
                {one.title} <span class="muted">{one.kind}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

// The docs: which page stands at which address, and its own navigation with the search.
import type {ComponentChildren} from 'preact';
import {useEffect, useState} from 'preact/hooks';
import {get} from '../api/http';
import {useLoaded} from '../app/loading';
import {useReference, type Reference} from '../app/reference';
import {Link, useRouter} from '../app/router';
import {Page} from '../app/shell';
import {guidesPath, type Guide} from '../data/guides';
import {Loading, ProblemNotice} from '../parts/notice';
import {EndpointPage} from './endpoint';
import {ErrorPage, ErrorsPage} from './errors';
import {GuidePage} from './guides';
import {ObjectPage} from './object';
import {Search} from './search';
import {StartPage} from './start';
import {Message} from '../parts/message';
import {docs as words, shell, terms} from '../words';

const wideQuery = '(min-width: 76rem)';

/** Whether the contents have room beside the page; on a narrow screen they are folded. */
function useWide(): boolean {
  const [wide, setWide] = useState(() => matchMedia(wideQuery).matches);
  useEffect(() => {
    const query = matchMedia(wideQuery);
    const changed = () => setWide(query.matches);
    query.addEventListener('change', changed);
    return () => query.removeEventListener('change', changed);
  }, []);
  return wide;
}

interface Props {
  reference: Reference;
  guides: readonly Guide[];
}

function Contents({reference, guides}: Props) {
  const {path} = useRouter();
  const entry = (to: string, name: string) => (
    <li key={to}>
      <Link href={to} aria-current={path === to ? 'page' : undefined}>
        {name}
      </Link>
    </li>
  );
  const platforms = [...new Set(reference.endpoints.map(one => one.platform))];
  const objects = [...new Set(reference.endpoints.flatMap(one => one.answers.objects))];
  return (
    <>
      <ul>
        {entry('/docs', terms.start)}
        {entry('/docs/errors', terms.errors)}
      </ul>
      {guides.length > 0 && <p class="nav-title">{terms.guides}</p>}
      <ul>{guides.map(one => entry(`/docs/guides/${one.name}`, one.title))}</ul>
      {platforms.map(platform => (
        <div key={platform}>
          <p class="nav-title">{platform}</p>
          <ul>
            {reference.endpoints
              .filter(one => one.platform === platform)
              .map(one => entry(`/docs/${one.path}`, one.path.slice(platform.length + 1)))}
          </ul>
        </div>
      ))}
      <p class="nav-title">{terms.objects}</p>
      <ul>{objects.map(name => entry(`/docs/objects/${name}`, name))}</ul>
    </>
  );
}

function Navigation({reference, guides}: Props) {
  const wide = useWide();
  const [unfolded, setUnfolded] = useState(wide);
  return (
    <nav class="docs-nav" aria-label={terms.docs}>
      <Search reference={reference} guides={guides} />
      <details open={wide} onToggle={event => setUnfolded(event.currentTarget.open)}>
        <summary>{terms.contents}</summary>
        {/* A hundred links are not made for a phone that does not show them. */}
        {(wide || unfolded) && <Contents reference={reference} guides={guides} />}
      </details>
    </nav>
  );
}

function Content({reference, guides}: Props) {
  const {path} = useRouter();
  const rest = path.slice('/docs'.length).replace(/^\//, '');
  if (rest === '') return <StartPage reference={reference} guides={guides} />;
  const guide = guides.find(one => rest === `guides/${one.name}`);
  if (guide) return <GuidePage key={rest} guide={guide} />;
  if (rest === 'errors') return <ErrorsPage reference={reference} />;
  if (rest.startsWith('errors/')) return <ErrorPage key={rest} code={rest.slice(7)} />;
  if (rest.startsWith('objects/')) {
    return <ObjectPage reference={reference} name={rest.slice(8)} />;
  }
  const endpoint = reference.find(rest);
  if (endpoint) return <EndpointPage reference={reference} endpoint={endpoint} />;
  return (
    <Page title={shell.missing}>
      <p>
        <Message text={words.missing(path)} />
      </p>
    </Page>
  );
}

export function DocsPages(): ComponentChildren {
  const {reference, problem, again} = useReference();
  const guides = useLoaded(() => get<Guide[]>(guidesPath), []);
  // Without the guides the reference is still one; with them no page changes under its reader.
  if (reference === null || guides.loading) {
    return (
      <Page title={terms.docs}>
        <ProblemNotice problem={problem} again={again} />
        {problem === null && <Loading what={words.loading} />}
      </Page>
    );
  }
  return (
    <div class="docs">
      <Navigation reference={reference} guides={guides.value ?? []} />
      <div class="docs-content">
        <Content reference={reference} guides={guides.value ?? []} />
      </div>
    </div>
  );
}

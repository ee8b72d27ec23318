// What a visitor meets first: what this is, a call of each platform with what the sandbox answers
// to it, and where to go on.
import {get} from '../api/http';
import type {Envelope} from '../api/types';
import {useLoaded} from '../app/loading';
import {useReference, type Reference} from '../app/reference';
import {Link} from '../app/router';
import {Page} from '../app/shell';
import {counted, credits} from '../data/format';
import type {Endpoint} from '../data/openapi';
import {platformName} from '../data/platforms';
import {Cards} from '../parts/cards';
import {Button, Code, Tabs} from '../parts/controls';
import type {Item} from '../parts/items';
import {Loading, ProblemNotice} from '../parts/notice';
import {Pitch} from '../parts/pitch';
import {Snippets} from './answer';

/** Of each platform the first endpoint that is a search, or else its first. */
function shown(reference: Reference): Endpoint[] {
  const own = reference.endpoints.filter(one => one.platform !== 'account');
  const platforms = [...new Set(own.map(one => one.platform))];
  return platforms.flatMap(name => {
    const of = own.filter(one => one.platform === name && itemsOf(one).length > 0);
    const one = of.find(each => each.path.endsWith('/search')) ?? of[0];
    return one ? [one] : [];
  });
}

const most = 4;

/** What the sandbox answered to the endpoint's example when the description was made. */
function itemsOf(endpoint: Endpoint): Item[] {
  const data = (endpoint.answer as {data?: Item | Item[]} | null)?.data;
  if (!data) return [];
  return Array.isArray(data) ? data : [data];
}

/** The example, called as soon as it is shown; nobody has to be signed in for that. */
function LiveExample({endpoint}: {endpoint: Endpoint}) {
  const asked = useLoaded(async () => {
    const began = performance.now();
    const {data, meta} = await get<Envelope<Item | Item[]>>(
      `/dashboard/api/examples/${endpoint.path}`,
    );
    const elapsed = Math.round(performance.now() - began);
    const items = Array.isArray(data) ? data : [data];
    const said = `${counted(items.length, 'item')}, ${credits(meta.credits.used)}, ${elapsed} ms`;
    return {items, said};
  }, [endpoint.path]);
  const items = asked.value?.items ?? itemsOf(endpoint);
  return (
    <>
      <div class="card-head">
        <h3>What the sandbox answers</h3>
        <Button aria-disabled={asked.loading} onClick={asked.again}>
          Run again
        </Button>
      </div>
      <p class="live" role="status">
        {asked.loading ? 'Calling…' : (asked.value?.said ?? 'As it was recorded')}
      </p>
      <Cards items={items.slice(0, most)} list />
    </>
  );
}

function Platform({endpoint, reference}: {endpoint: Endpoint; reference: Reference}) {
  return (
    <>
      <p>
        {endpoint.summary}. <Link href={`/docs/${endpoint.path}`}>What {endpoint.path} takes</Link>
      </p>
      <Snippets endpoint={endpoint} body={endpoint.example} baseUrl={reference.baseUrl} />
      <LiveExample endpoint={endpoint} />
    </>
  );
}

function Platforms({reference}: {reference: Reference}) {
  const tabs = shown(reference).map(endpoint => ({
    name: platformName(endpoint.platform),
    content: () => <Platform key={endpoint.path} endpoint={endpoint} reference={reference} />,
  }));
  return <Tabs tabs={tabs} label="Platforms" />;
}

export function FrontPage() {
  const {reference, problem, again} = useReference();
  return (
    <Page
      title="One API over public-data platforms"
      lead="One key, one JSON shape, one way to page and one error model, for programs and agents."
      actions={
        <Link class="button primary" href="/dashboard/sign-up">
          Create account
        </Link>
      }
    >
      <section class="card first-calls" aria-labelledby="front-calls">
        <h2 id="front-calls">A call of each platform</h2>
        <ProblemNotice problem={problem} again={again} />
        {reference === null && problem === null && <Loading what="the calls" />}
        {reference && <Platforms reference={reference} />}
      </section>
      <section class="card" aria-labelledby="front-agents">
        <h2 id="front-agents">For an agent</h2>
        <p>
          Every endpoint is a tool of the Model Context Protocol, over standard input and output:
        </p>
        <Code text="claude mcp add freshet -- freshet mcp" label="How to add it to Claude Code" />
        <p>
          <Link href="/docs/guides/agents">Other agents</Link>,{' '}
          <a href="/llms.txt">the docs as text</a> and <a href="/openapi.json">as OpenAPI</a>.
        </p>
      </section>
      <Pitch />
    </Page>
  );
}

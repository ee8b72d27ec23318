// What a visitor meets first: what this is, a call of each platform with what the sandbox answers
// to it, and where to go on.
import {useReference, type Reference} from '../app/reference';
import {Link} from '../app/router';
import {Page} from '../app/shell';
import type {Endpoint} from '../data/openapi';
import {platformName} from '../data/platforms';
import {Code, Tabs} from '../parts/controls';
import {ItemView, type Item} from '../parts/items';
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

const most = 3;

/** What the sandbox answers to the endpoint's example, as the description has it. */
function itemsOf(endpoint: Endpoint): Item[] {
  const data = (endpoint.answer as {data?: Item | Item[]} | null)?.data;
  if (!data) return [];
  return (Array.isArray(data) ? data : [data]).slice(0, most);
}

function Platform({endpoint, reference}: {endpoint: Endpoint; reference: Reference}) {
  return (
    <>
      <p>
        {endpoint.summary}. <Link href={`/docs/${endpoint.path}`}>What {endpoint.path} takes</Link>
      </p>
      <Snippets endpoint={endpoint} body={endpoint.example} baseUrl={reference.baseUrl} />
      <h3>What the sandbox answers</h3>
      <div class="items">
        {itemsOf(endpoint).map(item => (
          <ItemView key={item.id} item={item} />
        ))}
      </div>
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
        <Link class="button" href="/dashboard/sign-up">
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

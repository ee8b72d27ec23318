// What a visitor meets first: what this is, a call of each platform with what the sandbox answers
// to it, and where to go on.
import {get} from '../api/http';
import type {Envelope} from '../api/types';
import {useLoaded} from '../app/loading';
import {useReference, type Reference} from '../app/reference';
import {Link} from '../app/router';
import {useSession} from '../app/session';
import {Page} from '../app/shell';
import type {Endpoint} from '../data/openapi';
import {platformName} from '../data/platforms';
import {agentCommand, agentHosts} from '../data/snippets';
import {Cards} from '../parts/cards';
import {Button, Code, Tabs} from '../parts/controls';
import type {Item} from '../parts/items';
import {PicturesOf, type Pictures} from '../parts/picture';
import {Loading, ProblemNotice} from '../parts/notice';
import {Pitch} from '../parts/pitch';
import {Snippets} from './answer';
import {Message} from '../parts/message';
import {actions, answers, front as words, terms} from '../words';

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
    const {data, meta, pictures} = await get<Envelope<Item | Item[]> & {pictures?: Pictures}>(
      `/dashboard/api/examples/${endpoint.path}`,
    );
    const elapsed = Math.round(performance.now() - began);
    const items = Array.isArray(data) ? data : [data];
    const said = words.said(items.length, most, meta.credits.used, elapsed);
    return {items, said, pictures};
  }, [endpoint.path]);
  const items = asked.value?.items ?? itemsOf(endpoint);
  return (
    <>
      <div class="card-head">
        <h3>{words.live}</h3>
        <Button aria-disabled={asked.loading} onClick={asked.again}>
          {actions.runAgain}
        </Button>
      </div>
      <p class="live" role="status">
        {asked.loading ? answers.calling : (asked.value?.said ?? words.recorded)}
      </p>
      <PicturesOf of={asked.value?.pictures ?? {}}>
        <Cards items={items.slice(0, most)} />
      </PicturesOf>
    </>
  );
}

function Platform({endpoint, reference}: {endpoint: Endpoint; reference: Reference}) {
  return (
    <>
      <p>
        <Message text={words.takes(endpoint.summary, endpoint.path)} />
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
  return <Tabs tabs={tabs} label={terms.platforms} />;
}

/** How the tools come into each host of agents. */
function Agents({baseUrl}: {baseUrl: string}) {
  const hosts = agentHosts(baseUrl).map(({name, link, file, text}) => ({
    name,
    content: () => (
      <>
        <p>
          <Message text={name === 'Cursor' ? words.cursorHelp : words.codeHelp} />
        </p>
        <p>
          <a class="button secondary" href={link}>
            {words.addTo(name)}
          </a>
        </p>
        <p>
          <Message text={words.orWrite(file)} />
        </p>
        <Code text={text} label={file} />
      </>
    ),
  }));
  const command = {
    name: words.claudeCode,
    content: () => <Code text={agentCommand(baseUrl)} label={words.agentsCode} />,
  };
  return <Tabs tabs={[command, ...hosts]} label={words.hosts} />;
}

export function FrontPage() {
  const {session} = useSession();
  const {reference, problem, again} = useReference();
  return (
    <Page
      title={words.title}
      lead={words.lead}
      actions={
        session?.account ? (
          <Link class="button primary" href="/dashboard">
            {actions.openDashboard}
          </Link>
        ) : (
          <Link class="button primary" href="/dashboard/sign-up">
            {actions.createAccount}
          </Link>
        )
      }
    >
      <section class="card first-calls" aria-labelledby="front-calls">
        <h2 id="front-calls">{words.calls}</h2>
        <ProblemNotice problem={problem} again={again} />
        {reference === null && problem === null && <Loading what={terms.calls} />}
        {reference && <Platforms reference={reference} />}
      </section>
      <section class="card" aria-labelledby="front-agents">
        <h2 id="front-agents">{words.agents}</h2>
        <p>
          <Message text={words.agentsHelp} />
        </p>
        <Agents baseUrl={reference?.baseUrl ?? location.origin} />
        <p>
          <Message text={words.agentsMore} />
        </p>
      </section>
      <Pitch />
    </Page>
  );
}

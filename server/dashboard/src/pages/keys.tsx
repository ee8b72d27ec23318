// The account's keys: what each may do and has done, making one, replacing one, ending one.
import {useState} from 'preact/hooks';
import {call, callAll} from '../api/calls';
import type {ApiKey} from '../api/types';
import {useLoaded} from '../app/loading';
import {useReference} from '../app/reference';
import {Page} from '../app/shell';
import {budgetState, isKeyOver} from '../data/alerts';
import {compare} from '../data/format';
import {bodyOf, fieldOf, type Field, type Values} from '../data/form';
import {Button, Dialog, Meter, More, RowAction, Secret} from '../parts/controls';
import {TextField} from '../parts/field';
import {DialogForm, useForm} from '../parts/form';
import {Empty, LoadedView, Notice} from '../parts/notice';
import {ParameterField} from '../parts/parameter';
import {Table, type Column} from '../parts/table';
import {Time} from '../parts/time';
import {Message} from '../parts/message';
import {actions, counted, firstSteps, keys as words, terms} from '../words';

type Asked = {what: 'create'} | {what: 'rotate' | 'revoke'; key: ApiKey};

/** What every call takes, and no form for a key asks. */
const callParameters = new Set(['id', 'fields', 'max_tokens', 'max_credits', 'dry_run']);

function nameOf(key: ApiKey): string {
  return `${key.prefix}…${key.last_four}`;
}

/** Whether it works no more. */
function isOver(key: ApiKey): boolean {
  return isKeyOver(key, Date.now());
}

const stateOf = (key: ApiKey) => budgetState(key, Date.now());

function State({row}: {row: ApiKey}) {
  if (row.revoked_at) return <span class="badge off">{terms.revoked}</span>;
  if (isOver(row))
    return <span class="badge off">{row.rotated_at ? terms.rotated : terms.expired}</span>;
  const budget = stateOf(row);
  if (budget === 'empty') return <span class="badge off">{words.budgetUsed}</span>;
  if (budget === 'low') return <span class="badge warn">{words.budgetLow}</span>;
  if (row.rotated_at !== null && row.expires_at !== null) {
    return (
      <span class="badge warn">
        {words.rotatedEnds} <Time at={row.expires_at} relative />
      </span>
    );
  }
  return (
    <span class={`badge ${row.mode === 'live' ? 'ok' : 'quiet'}`}>
      {row.mode === 'live' ? terms.live : terms.test}
    </span>
  );
}

function Budget({row}: {row: ApiKey}) {
  if (row.monthly_budget === null) return <>{words.unlimited}</>;
  const used = row.budget_used ?? 0;
  return (
    <>
      {counted.of(used, row.monthly_budget)}
      <Meter
        share={used / row.monthly_budget}
        state={stateOf(row)}
        label={words.usedCredits(used, row.monthly_budget)}
      />
    </>
  );
}

function columnsOf(ask: (asked: Asked) => void): Column<ApiKey>[] {
  return [
    {
      name: terms.key,
      cell: row => (
        <>
          {row.name && <strong class="above">{row.name}</strong>}
          <code class="whole">{nameOf(row)}</code>
        </>
      ),
    },
    {name: terms.state, cell: row => <State row={row} />},
    {name: terms.scopes, cell: row => row.scopes.join(', ')},
    {
      name: terms.budget,
      cell: row => <Budget row={row} />,
      isVoid: row => row.monthly_budget === null,
      numeric: true,
    },
    {
      name: terms.expires,
      cell: row => (row.expires_at ? <Time at={row.expires_at} /> : terms.never),
      isVoid: row => row.expires_at === null,
    },
    {
      name: terms.lastUsed,
      cell: row => (row.last_used_at ? <Time at={row.last_used_at} relative /> : terms.never),
    },
    {
      name: terms.actions,
      cell: row =>
        isOver(row) ? (
          <span class="muted">–</span>
        ) : (
          <span class="row-actions">
            <RowAction
              verb={actions.rotate}
              of={nameOf(row)}
              onClick={() => ask({what: 'rotate', key: row})}
            />
            <RowAction
              danger
              verb={actions.revoke}
              of={nameOf(row)}
              onClick={() => ask({what: 'revoke', key: row})}
            />
          </span>
        ),
    },
  ];
}

interface DialogProps {
  onClose(): void;
  onChanged(): void;
}

function NewKey({value, onClose}: {value: string; onClose(): void}) {
  return (
    <>
      <Notice kind="warn" title={firstSteps.keyShownOnce}>
        <p>{firstSteps.keyHash}</p>
      </Notice>
      <Secret value={value} label={words.fresh} />
      <div class="form-foot">
        <Button kind="primary" onClick={onClose}>
          {actions.haveCopied}
        </Button>
      </div>
    </>
  );
}

/** The fields of a call as the catalogue has them. */
function useFields(endpoint: string): Field[] {
  const {reference} = useReference();
  const parameters = reference?.find(endpoint)?.parameters ?? [];
  return parameters.filter(one => !callParameters.has(one.name)).map(fieldOf);
}

/** What is chosen already; a text that is left empty takes the server's default. */
function chosen(fields: readonly Field[]): Values {
  const first = (field: Field) => (field.choices.length > 0 ? field.fallback : '');
  return Object.fromEntries(fields.map(field => [field.name, first(field)]));
}

function KeyForm(props: DialogProps & {endpoint: string; id?: string; verb: string}) {
  const fields = useFields(props.endpoint);
  const [made, setMade] = useState<string | null>(null);
  const form = useForm(chosen(fields), async values => {
    const body = {...bodyOf(fields, values), ...(props.id ? {id: props.id} : {})};
    const answer = await call<ApiKey>(props.endpoint, body);
    setMade(answer.body.data.key ?? '');
    props.onChanged();
  });
  if (made !== null) return <NewKey value={made} onClose={props.onClose} />;
  return (
    <DialogForm of={form} label={props.verb} verb={props.verb} onClose={props.onClose}>
      {fields.map(field => (
        <ParameterField key={field.name} field={field} {...form.bind(field.name)} />
      ))}
    </DialogForm>
  );
}

function RevokeForm({row, onClose, onChanged}: DialogProps & {row: ApiKey}) {
  const form = useForm({}, async () => {
    await call('account/keys/revoke', {id: row.id});
    onChanged();
    onClose();
  });
  return (
    <DialogForm
      of={form}
      label={actions.revoke}
      verb={actions.revokeIt}
      kind="danger"
      keep={actions.keep}
      onClose={onClose}
    >
      <p>
        <Message text={words.revokeHelp(nameOf(row))} />
      </p>
    </DialogForm>
  );
}

function KeyDialog({asked, ...rest}: DialogProps & {asked: Asked}) {
  if (asked.what === 'create') {
    return (
      <Dialog title={actions.createKey} onClose={rest.onClose}>
        <KeyForm endpoint="account/keys/create" verb={actions.create} {...rest} />
      </Dialog>
    );
  }
  if (asked.what === 'rotate') {
    return (
      <Dialog title={words.rotation(nameOf(asked.key))} onClose={rest.onClose}>
        <KeyForm
          endpoint="account/keys/rotate"
          id={asked.key.id}
          verb={actions.createSuccessor}
          {...rest}
        />
      </Dialog>
    );
  }
  return (
    <Dialog title={words.revokeQuestion(nameOf(asked.key))} onClose={rest.onClose}>
      <RevokeForm row={asked.key} {...rest} />
    </Dialog>
  );
}

/** What needs somebody stands first: budgets that refuse calls, and those that soon will. */
const budgetRank = (key: ApiKey) => ['empty', 'low', 'enough'].indexOf(stateOf(key));
const order = (a: ApiKey, b: ApiKey) =>
  budgetRank(a) - budgetRank(b) || compare(b.created_at, a.created_at);

/** With fewer, one sees what one looks for. */
const searchedFrom = 10;
const shownAtOnce = 20;
const shownMore = 50;

/** Some, and some more each time one asks. */
function KeyTable({rows, ...rest}: Parameters<typeof Table<ApiKey>>[0]) {
  const [most, setMost] = useState(shownAtOnce);
  const left = Math.min(rows.length - most, shownMore);
  return (
    <>
      <Table rows={rows.slice(0, most)} tight {...rest} />
      {left > 0 && <More verb={words.showMore(left)} onClick={() => setMost(most + left)} />}
    </>
  );
}

/** Those that work, a part at a time, and below them, folded, those that do no more. */
function KeyLists({keys, ask}: {keys: readonly ApiKey[]; ask(asked: Asked): void}) {
  const [wanted, setWanted] = useState('');
  const text = wanted.trim().toLowerCase();
  const found = [...keys]
    .sort(order)
    .filter(key => `${key.name ?? ''} ${nameOf(key)} ${key.id}`.toLowerCase().includes(text));
  const working = found.filter(key => !isOver(key));
  const gone = found.filter(isOver);
  const columns = columnsOf(ask);
  const none = text ? (
    <Empty title={words.unmatched} />
  ) : (
    <Empty title={words.empty}>
      <p>{words.emptyHelp}</p>
    </Empty>
  );
  return (
    <>
      {keys.length > searchedFrom && (
        <TextField label={words.find} type="search" value={wanted} onValue={setWanted} />
      )}
      <KeyTable caption={words.caption} columns={columns} rows={working} empty={none} />
      {gone.length > 0 && (
        <details>
          <summary>{words.gone(gone.length)}</summary>
          <KeyTable caption={words.goneCaption} columns={columns.slice(0, -1)} rows={gone} />
        </details>
      )}
    </>
  );
}

export function KeysPage() {
  const keys = useLoaded(() => callAll<ApiKey>('account/keys/list', {}), []);
  const [asked, setAsked] = useState<Asked | null>(null);
  return (
    <Page
      title={terms.keys}
      lead={words.lead}
      actions={
        <Button kind="primary" onClick={() => setAsked({what: 'create'})}>
          {actions.createKey}
        </Button>
      }
    >
      <LoadedView of={keys} what={terms.keys} card>
        {rows => <KeyLists keys={rows} ask={setAsked} />}
      </LoadedView>
      {asked && <KeyDialog asked={asked} onClose={() => setAsked(null)} onChanged={keys.again} />}
    </Page>
  );
}

// What the account's owner is told of: a form of its own on the account's page.
import {useState} from 'preact/hooks';
import {call} from '../api/calls';
import type {AlertSettings, AlertTest} from '../api/types';
import {useAttempt, useLoaded} from '../app/loading';
import {useSession} from '../app/session';
import {Button, Secret} from '../parts/controls';
import {ChecksField, TextField} from '../parts/field';
import {FormOf, useForm} from '../parts/form';
import {LoadedView, Notice, ProblemNotice} from '../parts/notice';
import {Message} from '../parts/message';
import {actions, alerts as words, sources} from '../words';

const shares = ['50', '20', '10', '5', '0'];
const nameOf = (share: string) => (share === '0' ? words.usedUp : sources.percent(Number(share)));
const webhookExample = 'https://hooks.example.org/freshet';

/** Boxes that are ticked stand in a form's value with this between them. */
const between = ', ';
const ticked = (value: string) => value.split(between).filter(Boolean);
const joined = (pairs: [string, boolean][]) =>
  pairs
    .filter(([, on]) => on)
    .map(([name]) => name)
    .join(between);

function AlertsForm({now}: {now: AlertSettings}) {
  const [saved, setSaved] = useState<AlertSettings | null>(null);
  const {session} = useSession();
  const byMail = now.email === null ? words.mail : words.mailTo(now.email);
  const initial = {
    credits_left: joined(shares.map(one => [nameOf(one), now.credits_left.includes(one)])),
    events: joined([
      [words.keyBudgets, now.key_budgets],
      [words.failingSources, now.failing_sources],
    ]),
    ways: joined([[byMail, now.mail]]),
    webhook: now.webhook ?? '',
  };
  const form = useForm(initial, async values => {
    setSaved(null);
    const chosen = ticked(values.credits_left);
    const {body} = await call<AlertSettings>('account/alerts/update', {
      credits_left: shares.filter(one => chosen.includes(nameOf(one))),
      key_budgets: values.events.includes(words.keyBudgets),
      failing_sources: values.events.includes(words.failingSources),
      mail: values.ways !== '',
      webhook: values.webhook.trim(),
    });
    setSaved(body.data);
  });
  const checks = (name: keyof typeof initial, label: string, choices: string[]) => {
    const {value, onValue} = form.bind(name);
    return (
      <ChecksField label={label} choices={choices} chosen={ticked(value)} onValue={onValue} />
    );
  };
  return (
    <>
      {saved && <Notice kind="good" title={words.saved} />}
      {saved?.webhook_secret && (
        <>
          <p>{words.secretHelp}</p>
          <Secret value={saved.webhook_secret} label={words.secret} />
        </>
      )}
      <FormOf of={form} label={words.title} verb={actions.saveAlerts}>
        {checks('credits_left', words.shares, shares.map(nameOf))}
        {checks('events', words.events, [words.keyBudgets, words.failingSources])}
        {session?.alert_mails ? checks('ways', words.ways, [byMail]) : <p>{words.noMail}</p>}
        <TextField
          label={words.webhook}
          type="url"
          optional
          placeholder={webhookExample}
          help={<Message text={words.webhookHelp} />}
          {...form.bind('webhook')}
        />
      </FormOf>
    </>
  );
}

function TestAlert() {
  const [sent, setSent] = useState<AlertTest | null>(null);
  const {problem, busy, attempt} = useAttempt();
  const send = () => {
    setSent(null);
    if (!busy) {
      void attempt(async () => {
        setSent((await call<AlertTest>('account/alerts/test', {})).body.data);
      });
    }
  };
  const to = [sent?.email, sent?.webhook].filter(one => one != null);
  return (
    <>
      <div class="field">
        <div>
          <Button aria-disabled={busy} onClick={send}>
            {actions.sendTestAlert}
          </Button>
        </div>
        <p class="help">{words.testHelp}</p>
      </div>
      {problem && <ProblemNotice problem={problem} />}
      {sent && <Notice kind="good" title={words.testSent(to)} />}
    </>
  );
}

export function AlertsCard() {
  const loaded = useLoaded(
    async () => (await call<AlertSettings>('account/alerts/show')).body.data,
    [],
  );
  return (
    <section class="card">
      <h2>{words.title}</h2>
      <p>{words.help}</p>
      <LoadedView of={loaded} what={words.title}>
        {now => (
          <>
            <AlertsForm now={now} />
            <TestAlert />
          </>
        )}
      </LoadedView>
    </section>
  );
}

// Passkeys of one's own account: those that there are, another one, and removing one.
import {useState} from 'preact/hooks';
import {send} from '../api/http';
import type {Passkey, SecondFactor} from '../api/types';
import {canUsePasskeys, makePasskey} from '../app/passkeys';
import type {QuestionToMake} from '../data/passkey';
import {Dialog, RowAction} from '../parts/controls';
import {TextField} from '../parts/field';
import {DialogForm, FormOf, PasswordField, ProofField, useForm} from '../parts/form';
import {RecoveryCodes} from '../parts/recovery_codes';
import {Table, type Column} from '../parts/table';
import {Time} from '../parts/time';
import {actions, factors as words, fragments, terms} from '../words';

function Add({proven, whenDone}: {proven: boolean; whenDone(codes: string[]): void}) {
  const none = {name: '', password: '', code: ''};
  const form = useForm(none, async ({name, ...proof}) => {
    const {body} = await send<QuestionToMake>('passkeys/begin', proof);
    const made = {name: name ?? '', passkey: await makePasskey(body)};
    const added = await send<{recovery_codes: string[]}>('passkeys/add', made);
    form.setValues(none);
    whenDone(added.body.recovery_codes);
  });
  return (
    <FormOf of={form} label={actions.addPasskey} verb={actions.addPasskey}>
      <TextField label={terms.name} help={words.passkeyNameHelp} required {...form.bind('name')} />
      <PasswordField {...form.bind('password')} />
      {proven && <ProofField {...form.bind('code')} onPasskey={() => form.onPasskey({})} />}
    </FormOf>
  );
}

interface RemoveProps {
  of: Passkey;
  whenDone(): void;
  onClose(): void;
}

function RemoveDialog({of, whenDone, onClose}: RemoveProps) {
  const form = useForm({password: '', code: ''}, async values => {
    await send('passkeys/remove', {id: of.id, ...values});
    whenDone();
  });
  return (
    <Dialog title={words.passkeyQuestion(of.name)} onClose={onClose}>
      <DialogForm
        of={form}
        label={actions.remove}
        verb={actions.removeIt}
        kind="danger"
        onClose={onClose}
      >
        <PasswordField {...form.bind('password')} />
        <ProofField {...form.bind('code')} onPasskey={() => form.onPasskey({})} />
      </DialogForm>
    </Dialog>
  );
}

function columns(remove: (one: Passkey) => void): Column<Passkey>[] {
  return [
    {name: terms.name, cell: row => row.name},
    {name: terms.created, cell: row => <Time at={row.created_at} />},
    {
      name: terms.lastUsed,
      cell: row =>
        row.last_used_at === null ? (
          <span class="muted">{terms.never}</span>
        ) : (
          <Time at={row.last_used_at} relative />
        ),
    },
    {
      name: terms.actions,
      cell: row => (
        <RowAction
          danger
          verb={actions.remove}
          of={fragments.passkeyOf(row.name)}
          onClick={() => remove(row)}
        />
      ),
    },
  ];
}

interface CardProps {
  factor: SecondFactor;
  again(): void;
  whenChanged(): void;
}

export function PasskeysCard({factor, again, whenChanged}: CardProps) {
  const [codes, setCodes] = useState<string[]>([]);
  const [leaving, setLeaving] = useState<Passkey | null>(null);
  const added = (made: string[]) => {
    setCodes(made);
    again();
    whenChanged();
  };
  const removed = () => {
    setLeaving(null);
    again();
  };
  return (
    <section class="card">
      <h2>{terms.passkeys}</h2>
      <p>{words.passkeyIntro}</p>
      {codes.length > 0 && <RecoveryCodes codes={codes} whenKept={() => setCodes([])} />}
      {factor.passkeys.length > 0 && (
        <Table
          caption={words.passkeysCaption}
          columns={columns(setLeaving)}
          rows={factor.passkeys}
        />
      )}
      {codes.length === 0 &&
        (canUsePasskeys() ? (
          <Add proven={factor.on} whenDone={added} />
        ) : (
          <p class="muted">{words.passkeysImpossible}</p>
        ))}
      {leaving !== null && (
        <RemoveDialog of={leaving} whenDone={removed} onClose={() => setLeaving(null)} />
      )}
    </section>
  );
}

// The second factors of one's own account: showing codes to an authenticator, proving them, the
// recovery codes, and turning them off. Passkeys have a card of their own.
import {useState} from 'preact/hooks';
import {get, send} from '../api/http';
import type {NewFactor, SecondFactor} from '../api/types';
import {useLoaded} from '../app/loading';
import {CodeField, FormOf, PasswordField, ProofField, useForm} from '../parts/form';
import {LoadedView} from '../parts/notice';
import {QrCode} from '../parts/qr';
import {RecoveryCodes} from '../parts/recovery_codes';
import {PasskeysCard} from './passkeys';
import {actions, factors as words, terms} from '../words';

/** `proven`: whether another second factor has to be shown. */
function Begin({proven, whenBegun}: {proven: boolean; whenBegun(fresh: NewFactor): void}) {
  const form = useForm({password: '', code: ''}, async values => {
    whenBegun((await send<NewFactor>('second-factor/begin', values)).body);
  });
  return (
    <FormOf of={form} label={actions.turnOn} verb={actions.turnOn}>
      <PasswordField {...form.bind('password')} />
      {proven && <ProofField {...form.bind('code')} onPasskey={() => form.onPasskey({})} />}
    </FormOf>
  );
}

function Confirm({fresh, whenDone}: {fresh: NewFactor; whenDone(codes: string[]): void}) {
  const form = useForm({code: ''}, async values => {
    const {body} = await send<{recovery_codes: string[]}>('second-factor/confirm', values);
    whenDone(body.recovery_codes);
  });
  return (
    <>
      <p>{words.scan}</p>
      <QrCode text={fresh.uri} label={words.qrCode} />
      <p>
        {terms.key}: <code>{fresh.secret}</code>
      </p>
      <FormOf of={form} label={actions.confirm} verb={actions.confirm}>
        <CodeField {...form.bind('code')} />
      </FormOf>
    </>
  );
}

function Remove({left, whenDone}: {left: number; whenDone(): void}) {
  const none = {password: '', code: ''};
  const form = useForm(none, async values => {
    await send('second-factor/remove', values);
    whenDone();
  });
  return (
    <>
      <p>{words.on(left)}</p>
      <FormOf of={form} label={actions.turnOff} verb={actions.turnOff} kind="danger">
        <PasswordField {...form.bind('password')} />
        <ProofField {...form.bind('code')} onPasskey={() => form.onPasskey({})} />
      </FormOf>
    </>
  );
}

interface CardProps {
  factor: SecondFactor;
  again(): void;
  whenChanged(): void;
}

function Authenticator({factor, again, whenChanged}: CardProps) {
  const [fresh, setFresh] = useState<NewFactor | null>(null);
  const [codes, setCodes] = useState<string[]>([]);
  if (codes.length > 0) return <RecoveryCodes codes={codes} whenKept={() => setCodes([])} />;
  if (factor.codes) return <Remove left={factor.recovery_codes} whenDone={again} />;
  if (fresh === null) {
    return (
      <>
        <p>
          {words.intro}
          {factor.required && !factor.on && ` ${words.needed}`}
        </p>
        <Begin proven={factor.on} whenBegun={setFresh} />
      </>
    );
  }
  const done = (made: string[]) => {
    setCodes(made);
    setFresh(null);
    again();
    whenChanged();
  };
  return <Confirm fresh={fresh} whenDone={done} />;
}

/** `whenChanged`: other sessions may have ended. */
export function SecondFactorCards({whenChanged}: {whenChanged(): void}) {
  const loaded = useLoaded(() => get<SecondFactor>('/dashboard/api/second-factor'), []);
  const {value, again} = loaded;
  return (
    <>
      <section class="card">
        <h2>{terms.secondFactor}</h2>
        <LoadedView of={loaded} what={terms.secondFactor}>
          {factor => <Authenticator {...{factor, again, whenChanged}} />}
        </LoadedView>
      </section>
      {value !== null && (value.passkeys_possible || value.passkeys.length > 0) && (
        <PasskeysCard {...{factor: value, again, whenChanged}} />
      )}
    </>
  );
}

// The second factor of one's own account: showing it to an authenticator, proving it, the recovery
// codes, and turning it off.
import {useState} from 'preact/hooks';
import {get, send} from '../api/http';
import type {NewFactor, SecondFactor} from '../api/types';
import {useLoaded} from '../app/loading';
import {Button} from '../parts/controls';
import {CodeField, FormOf, PasswordField, useForm} from '../parts/form';
import {LoadedView, Notice} from '../parts/notice';
import {QrCode} from '../parts/qr';

function Begin({whenBegun}: {whenBegun(fresh: NewFactor): void}) {
  const form = useForm({password: ''}, async values => {
    whenBegun((await send<NewFactor>('second-factor/begin', values)).body);
  });
  return (
    <FormOf of={form} label="Turn a second factor on" verb="Turn it on">
      <PasswordField {...form.bind('password')} />
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
      <p>Scan this with an authenticator, or type its key: then enter the code that it shows.</p>
      <QrCode text={fresh.uri} label="QR code for an authenticator" />
      <p>
        Key: <code>{fresh.secret}</code>
      </p>
      <FormOf of={form} label="Prove the second factor" verb="Confirm">
        <CodeField {...form.bind('code')} />
      </FormOf>
    </>
  );
}

function Recovery({codes, whenKept}: {codes: string[]; whenKept(): void}) {
  return (
    <>
      <Notice kind="good" title="The second factor is on; every other session ended.">
        Keep these recovery codes where the device is not: each signs you in once without it, and
        they are not shown again.
      </Notice>
      <ul class="codes" aria-label="Recovery codes">
        {codes.map(code => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div class="form-foot">
        <Button onClick={whenKept}>I have kept them</Button>
      </div>
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
      <p>It is on. {left} recovery codes are left.</p>
      <FormOf of={form} label="Turn the second factor off" verb="Turn it off" kind="danger">
        <PasswordField {...form.bind('password')} />
        <CodeField {...form.bind('code')} />
      </FormOf>
    </>
  );
}

/** `whenChanged`: other sessions may have ended. */
export function SecondFactorCard({whenChanged}: {whenChanged(): void}) {
  const [fresh, setFresh] = useState<NewFactor | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const loaded = useLoaded(() => get<SecondFactor>('/dashboard/api/second-factor'), []);
  const show = (factor: SecondFactor) => {
    if (codes !== null) return <Recovery codes={codes} whenKept={() => setCodes(null)} />;
    if (factor.on) return <Remove left={factor.recovery_codes} whenDone={loaded.again} />;
    if (fresh === null) {
      return (
        <>
          <p>
            A code from your phone beside the password.
            {factor.required && ' Operators need it here.'}
          </p>
          <Begin whenBegun={setFresh} />
        </>
      );
    }
    const done = (made: string[]) => {
      setCodes(made);
      setFresh(null);
      loaded.again();
      whenChanged();
    };
    return <Confirm fresh={fresh} whenDone={done} />;
  };
  return (
    <section class="card">
      <h2>Second factor</h2>
      <LoadedView of={loaded} what="the second factor">
        {show}
      </LoadedView>
    </section>
  );
}

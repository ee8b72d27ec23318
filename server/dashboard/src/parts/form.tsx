// A form's life: what was typed stays, whatever happens; a problem is shown at its field or above
// the form, and the first wrong field gets the focus.
import type {ComponentChildren} from 'preact';
import {useEffect, useRef, useState} from 'preact/hooks';
import type {Problem} from '../api/http';
import {useAttempt} from '../app/loading';
import {canUsePasskeys, showPasskey} from '../app/passkeys';
import {fieldOfPointer, type Values} from '../data/form';
import {Button, Submit} from './controls';
import {TextField} from './field';
import {Notice, ProblemNotice} from './notice';
import {access, actions, factors, terms} from '../words';

/** Sends what was typed by `act`, whose failure becomes the form's problem. */
export function useForm<V extends Values>(initial: V, act: (values: V) => Promise<void>) {
  const [values, setValues] = useState(initial);
  const {problem, busy, attempt} = useAttempt();
  /** The error of a field, if the last answer named it. */
  const error = (name: string) =>
    problem?.errors?.find(one => fieldOfPointer(one.pointer) === name)?.detail;
  return {
    values,
    setValues,
    problem,
    busy,
    fields: Object.keys(initial),
    onSubmit: () => void attempt(() => act(values), true),
    /** Sends it with a passkey in place of a code; `who`: see showPasskey(). */
    onPasskey: (who: Record<string, string>) =>
      void attempt(async () => act({...values, code: '', passkey: await showPasskey(who)}), true),
    /** What a field needs, but for its label. */
    bind: (name: keyof V & string) => ({
      value: values[name] ?? '',
      name,
      onValue: (value: string) => setValues(before => ({...before, [name]: value})),
      error: error(name),
    }),
  };
}

interface FormProps {
  onSubmit(): void;
  problem: Problem | null;
  /** The names of the fields that the form has. */
  fields: readonly string[];
  label: string;
  children: ComponentChildren;
  class?: string;
}

export function Form({onSubmit, problem, fields, label, children, class: look}: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const named = (problem?.errors ?? [])
    .map(one => one.pointer)
    .filter(pointer => fields.includes(fieldOfPointer(pointer)));
  useEffect(() => {
    if (problem === null) return;
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problem]);
  const allShown = problem !== null && named.length > 0 && named.length === problem.errors?.length;
  return (
    <form
      ref={form}
      class={look}
      noValidate
      aria-label={label}
      onSubmit={event => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {problem?.code === 'second_factor_required' ? (
        <Notice title={factors.next}>
          <p>{factors.nextHelp}</p>
        </Notice>
      ) : (
        !allShown && <ProblemNotice problem={problem} shownAt={named} />
      )}
      {children}
    </form>
  );
}

interface FormOfProps {
  /** What useForm gave. */
  of: Pick<FormProps, 'onSubmit' | 'problem' | 'fields'> & {busy: boolean};
  label: string;
  /** On the button that sends it. */
  verb: string;
  kind?: 'primary' | 'danger';
  /** What stands beside that button. */
  beside?: ComponentChildren;
  children?: ComponentChildren;
}

/** A form with what sends it below its fields. */
export function FormOf({of, label, verb, kind, beside, children}: FormOfProps) {
  return (
    <Form {...of} label={label}>
      {children}
      <div class="form-foot">
        <Submit busy={of.busy} kind={kind}>
          {verb}
        </Submit>
        {beside}
      </div>
    </Form>
  );
}

/** The same in a dialog, which `keep` closes. */
export function DialogForm(props: Omit<FormOfProps, 'beside'> & {onClose(): void; keep?: string}) {
  return (
    <FormOf
      {...props}
      beside={<Button onClick={props.onClose}>{props.keep ?? actions.cancel}</Button>}
    />
  );
}

type BoundProps = ReturnType<ReturnType<typeof useForm>['bind']> & {help?: string};

export function EmailField(props: BoundProps) {
  return <TextField label={terms.email} type="email" autoComplete="username" required {...props} />;
}

/** Of a second factor. */
export function CodeField(props: BoundProps) {
  return (
    <TextField
      label={terms.code}
      inputMode="text"
      autoComplete="one-time-code"
      help={factors.codeHelp}
      required
      {...props}
    />
  );
}

type ProofProps = BoundProps & {onPasskey(): void};

/** A second factor: a code, or a passkey, which sends the form. */
export function ProofField({onPasskey, ...rest}: ProofProps) {
  return (
    <>
      <CodeField {...rest} />
      {canUsePasskeys() && (
        <div class="form-foot">
          <Button onClick={onPasskey}>{actions.usePasskey}</Button>
        </div>
      )}
    </>
  );
}

/** Whether something was so once: a field that has come stays. */
export function useAsked(now: boolean): boolean {
  const before = useRef(false);
  before.current ||= now;
  return before.current;
}

/** Whether the account has a second factor, which the answer asks for. */
export const asksForCode = (problem: Problem | null) =>
  problem?.code === 'second_factor_required' || problem?.code === 'invalid_second_factor';

type PasswordProps = BoundProps & {label?: string; chosen?: boolean; more?: string};

/** `chosen`: a new one, for which there is a rule; `more` stands behind that. */
export function PasswordField({label = terms.password, chosen, more = '', ...rest}: PasswordProps) {
  return (
    <TextField
      label={label}
      type="password"
      autoComplete={chosen ? 'new-password' : 'current-password'}
      help={chosen && `${access.passwordRule} ${more}`.trim()}
      required
      {...rest}
    />
  );
}

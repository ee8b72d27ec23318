// The form of a call: one large field with the button that runs it, time as buttons, and the rest
// folded until it is wanted, filled in or wrong.
import {useState} from 'preact/hooks';
import type {Problem} from '../api/http';
import {missingOf, valuesOf, type Field, type Values} from '../data/form';
import type {Endpoint} from '../data/openapi';
import {Button, Submit} from '../parts/controls';
import {Switch} from '../parts/field';
import {Form} from '../parts/form';
import {ParameterField} from '../parts/parameter';
import type {Quote, SplitForm} from './calling';
import {actions, chart, counted, playground as words, terms} from '../words';

interface FieldsProps {
  fields: readonly Field[];
  values: Values;
  set(name: string, value: string): void;
  error(name: string): string | undefined;
}

function Fields({fields, values, set, error}: FieldsProps) {
  return (
    <>
      {fields.map(field => (
        <ParameterField
          exact
          key={field.name}
          field={field}
          value={values[field.name] ?? ''}
          onValue={value => set(field.name, value)}
          error={error(field.name)}
        />
      ))}
    </>
  );
}

const spans: [string, string][] = [
  ['', terms.anyTime],
  ['24h', terms.day],
  ['7d', terms.week],
  ['30d', terms.month],
];

function TimeField(props: {field: Field} & Omit<FieldsProps, 'fields'>) {
  const value = props.values[props.field.name] ?? '';
  return (
    <div class="time-field">
      <div class="segments" role="group" aria-label={chart.span}>
        {spans.map(([span, name]) => (
          <button
            key={span}
            type="button"
            aria-pressed={span === value}
            onClick={() => props.set(props.field.name, span)}
          >
            {name}
          </button>
        ))}
      </div>
      <Fields {...props} fields={[{...props.field, help: ''}]} />
    </div>
  );
}

function Price({quote, endpoint, sandbox}: {quote: Quote; endpoint: Endpoint; sandbox: boolean}) {
  const price = quote.credits ?? endpoint.credits;
  let text = quote.credits === null ? words.price(price) : words.quote(price);
  if (sandbox) text = words.sandboxPrice;
  else if (quote.problem?.errors?.length) text = words.refused;
  else if (quote.problem) text = quote.problem.title;
  return (
    <p class="price" aria-live="polite">
      {text}
    </p>
  );
}

/** What the form itself finds missing, until that is filled in: nobody has to be asked for it. */
function missingProblem(missing: Record<string, string>): Problem {
  return {
    type: 'about:blank',
    title: words.missing,
    status: 0,
    detail: Object.values(missing).join('; '),
    code: 'invalid_request',
    errors: Object.entries(missing).map(([name, detail]) => ({
      pointer: `/${name}`,
      code: 'required',
      detail,
    })),
  };
}

interface Props {
  endpoint: Endpoint;
  form: SplitForm;
  values: Values;
  setValues(change: (before: Values) => Values): void;
  problem: Problem | null;
  quote: Quote;
  busy: boolean;
  isAccount: boolean;
  sandbox: boolean;
  setSandbox(on: boolean): void;
  onRun(): void;
}

export function CallForm({endpoint, form, values, setValues, ...rest}: Props) {
  const [refused, setRefused] = useState<Problem | null>(null);
  const missing = missingOf(endpoint, values);
  const own = refused && Object.keys(missing).length > 0 ? refused : null;
  const told = own ?? rest.problem ?? rest.quote.problem;
  const error = (name: string) =>
    told?.errors?.find(one => one.pointer.split('/')[1] === name)?.detail;
  const set = (name: string, value: string) => setValues(before => ({...before, [name]: value}));
  const run = () => {
    if (Object.keys(missing).length > 0) return setRefused(missingProblem(missing));
    setRefused(null);
    rest.onRun();
  };
  const isFilled = (field: Field) => (values[field.name] ?? '') !== '';
  const shared = {values, set, error};
  return (
    <Form
      label={terms.call}
      class="call-form"
      problem={own ?? rest.problem}
      fields={form.all.map(field => field.name)}
      onSubmit={run}
    >
      <div class="lead-row">
        {form.lead && <Fields {...shared} fields={[form.lead]} />}
        <Submit busy={rest.busy}>{actions.run}</Submit>
      </div>
      <Fields {...shared} fields={form.needed} />
      {form.since && <TimeField {...shared} field={form.since} />}
      {form.folded.length > 0 && (
        <details
          open={form.folded.some(field => isFilled(field) || error(field.name)) || undefined}
        >
          <summary>{counted.moreParameters(form.folded.length)}</summary>
          <div class="folded">
            <Fields {...shared} fields={form.folded} />
          </div>
        </details>
      )}
      <div class="call-foot">
        {!rest.isAccount && (
          <Switch
            label={terms.sandbox}
            on={rest.sandbox}
            onChange={rest.setSandbox}
            help={words.sandboxHelp}
          />
        )}
        <Price quote={rest.quote} endpoint={endpoint} sandbox={rest.sandbox && !rest.isAccount} />
        <Button kind="plain" onClick={() => setValues(() => valuesOf(endpoint.example))}>
          {actions.fillInExample}
        </Button>
      </div>
    </Form>
  );
}

// A parameter of the catalogue as a field: what it is called, what it takes and what it does come
// from the description of the API.
import type {Field} from '../data/form';
import {splitList} from '../data/form';
import {ChecksField, SelectField, TextField} from './field';
import {Prose} from './markdown';
import {shell as words, terms} from '../words';

interface Props {
  field: Field;
  value: string;
  onValue(value: string): void;
  error?: string | undefined;
  /** Whether the parameter's own name is the label, as one calls the API with it. */
  exact?: boolean;
  /** What a choice is called that is not made. */
  none?: string;
}

const flags = (fallback: string): [string, string][] => [
  [
    '',
    fallback === ''
      ? words.fieldUnset
      : words.fieldDefault(fallback === 'true' ? terms.yes : terms.no),
  ],
  ['true', terms.yes],
  ['false', terms.no],
];

function placeholderOf({fallback, placeholder}: Field): string {
  if (fallback) return words.fieldDefault(fallback);
  return placeholder ? words.fieldExample(placeholder) : '';
}

export function ParameterField({field, value, onValue, error, exact, none}: Props) {
  const base = {
    label: exact ? <code>{field.name}</code> : field.label,
    onValue,
    error,
    help: field.help && <Prose text={field.help} />,
    optional: !field.required,
  };
  if (field.kind === 'choices') {
    return <ChecksField {...base} choices={field.choices} chosen={splitList(value)} />;
  }
  if (field.kind === 'flag') {
    return <SelectField {...base} value={value} choices={flags(field.fallback)} />;
  }
  if (field.kind === 'choice') {
    const unset = field.fallback ? words.fieldDefault(field.fallback) : (none ?? words.fieldUnset);
    return <SelectField {...base} value={value} choices={[['', unset], ...field.choices]} />;
  }

  return (
    <TextField
      {...base}
      value={value}
      name={field.name}
      required={field.required}
      placeholder={placeholderOf(field)}
      inputMode={field.kind === 'number' ? 'numeric' : 'text'}
      autoComplete="off"
      spellcheck={false}
      autoCapitalize="none"
    />
  );
}

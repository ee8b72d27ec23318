// A parameter of the catalogue as a field: what it is called, what it takes and what it does come
// from the description of the API.
import type {Field} from '../data/form';
import {splitList} from '../data/form';
import {ChecksField, SelectField, TextField} from './field';
import {Prose} from './markdown';

interface Props {
  field: Field;
  value: string;
  onValue(value: string): void;
  error?: string | undefined;
  /** Whether the parameter's own name is the label, as one calls the API with it. */
  exact?: boolean;
}

const flags = (fallback: string): [string, string][] => [
  ['', fallback === '' ? 'Not given' : `Default: ${fallback === 'true' ? 'yes' : 'no'}`],
  ['true', 'Yes'],
  ['false', 'No'],
];

export function ParameterField({field, value, onValue, error, exact}: Props) {
  const base = {
    label: exact ? <code>{field.name}</code> : field.label,
    onValue,
    error,
    help: <Prose text={field.help} />,
    optional: !field.required,
  };
  if (field.kind === 'choices') {
    return <ChecksField {...base} choices={field.choices} chosen={splitList(value)} />;
  }
  if (field.kind === 'flag') {
    return <SelectField {...base} value={value} choices={flags(field.fallback)} />;
  }
  if (field.kind === 'choice') {
    const none: [string, string] = [
      '',
      field.fallback ? `Default: ${field.fallback}` : 'Not given',
    ];
    return <SelectField {...base} value={value} choices={[none, ...field.choices]} />;
  }
  const placeholder = field.fallback || field.placeholder;
  return (
    <TextField
      {...base}
      value={value}
      name={field.name}
      required={field.required}
      placeholder={placeholder ? `${field.fallback ? 'default' : 'e.g.'} ${placeholder}` : ''}
      inputMode={field.kind === 'number' ? 'numeric' : 'text'}
      autoComplete="off"
      spellcheck={false}
      autoCapitalize="none"
    />
  );
}

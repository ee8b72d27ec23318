// Forms from parameters: which kind of field each gets, and what the filled-in form sends. Nothing
// is judged here that the server judges; a number that is none is sent as it was typed.
import type {Endpoint, Parameter, Schema} from './openapi';
import {shell} from '../words';

export type FieldKind = 'text' | 'number' | 'flag' | 'choice' | 'choices' | 'list' | 'object';

export interface Field {
  name: string;
  label: string;
  kind: FieldKind;
  help: string;
  required: boolean;
  choices: string[];
  placeholder: string;
  /** What the server takes when nothing is given; "" if it says nothing. */
  fallback: string;
}

export type Values = Record<string, string>;

/** Those that every call takes; the form shows them on demand. */
const common = new Set([
  'limit',
  'sources',
  'lang',
  'country',
  'highlights',
  'fields',
  'max_tokens',
  'max_credits',
]);
/** Those that the page itself gives. */
const own = new Set(['cursor', 'dry_run']);

function kindOf(schema: Schema): FieldKind {
  if (schema.type === 'boolean') return 'flag';
  if (schema.type === 'integer' || schema.type === 'number') return 'number';
  if (schema.type === 'object') return 'object';
  if (schema.type === 'array') return schema.items?.enum ? 'choices' : 'list';
  return schema.enum ? 'choice' : 'text';
}

function written(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

export function labelOf(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function fieldOf({name, schema, required}: Parameter): Field {
  return {
    name,
    label: labelOf(name),
    kind: kindOf(schema),
    help: schema.description ?? '',
    required,
    choices: schema.enum ?? schema.items?.enum ?? [],
    placeholder: written(schema.examples?.[0]),
    fallback: written(schema.default),
  };
}

export interface Form {
  main: Field[];
  more: Field[];
}

export function formOf(endpoint: Endpoint): Form {
  const fields = endpoint.parameters.filter(one => !own.has(one.name)).map(fieldOf);
  return {
    main: fields.filter(field => !common.has(field.name)),
    more: fields.filter(field => common.has(field.name)),
  };
}

/** "a, b" and lines to values; empty ones are dropped. */
export function splitList(text: string): string[] {
  return text
    .split(/[,\n]/)
    .map(part => part.trim())
    .filter(part => part !== '');
}

function valueOf(field: Field, text: string): unknown {
  switch (field.kind) {
    case 'flag':
      return text === 'true';
    case 'number': {
      const number = Number(text);
      return Number.isFinite(number) ? number : text;
    }
    case 'choices':
    case 'list':
      return splitList(text);
    case 'object':
      try {
        return JSON.parse(text);
      } catch {
        return text;
      }
    default:
      return text;
  }
}

/** The body of the call: what was filled in, and nothing else. */
export function bodyOf(fields: readonly Field[], values: Values): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const field of fields) {
    const text = values[field.name] ?? '';
    if (text.trim() === '') continue;
    body[field.name] = valueOf(field, text);
  }
  return body;
}

/** A body, such as the catalogue's example, as the form's values. */
export function valuesOf(body: Record<string, unknown>): Values {
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, written(value)]));
}

/** What is still to be filled in, by field, in the words that stand there. */
export function missingOf(endpoint: Endpoint, values: Values): Record<string, string> {
  const given = (name: string) => (values[name] ?? '').trim() !== '';
  const missing: Record<string, string> = {};
  for (const {name, required} of endpoint.parameters) {
    if (required && !given(name)) missing[name] = shell.fieldRequired([name]);
  }
  if (endpoint.oneOf.length > 0 && !endpoint.oneOf.some(names => names.every(given))) {
    const names = endpoint.oneOf.flat();
    missing[names[0] ?? ''] = shell.fieldRequired(names);
  }
  return missing;
}

/** Whether everything required is there, so that a quote can be asked for. */
export function isComplete(endpoint: Endpoint, values: Values): boolean {
  return Object.keys(missingOf(endpoint, values)).length === 0;
}

/** The field that a call is about, shown large: what is required first. */
export function leadOf(endpoint: Endpoint): string | null {
  const required = endpoint.parameters.find(one => one.required);
  return required?.name ?? endpoint.oneOf[0]?.[0] ?? null;
}

/** "/since" and "/sources/0" as the name of the field that they are about. */
export function fieldOfPointer(pointer: string): string {
  const name = pointer.split('/')[1] ?? '';
  return name.replaceAll('~1', '/').replaceAll('~0', '~');
}

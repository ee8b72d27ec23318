// The OpenAPI document as the forms and the reference need it: endpoints with their parameters,
// prices, answers and errors. Both read it here, so neither can say something the other does not.
import {compare, number} from './format';
import {fragments} from '../words';

export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: string[];
  const?: string;
  default?: unknown;
  examples?: unknown[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  anyOf?: Schema[];
  oneOf?: {required?: string[]}[];
}

interface ResponseObject {
  $ref?: string;
  description?: string;
  content?: Record<
    string,
    {
      schema?: Schema;
      example?: unknown;
      examples?: Record<string, {description?: string; value: ErrorExample}>;
    }
  >;
}

interface ErrorExample {
  title: string;
  status: number;
  detail: string;
  code: string;
  retryable: boolean;
}

interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  'x-credits': number;
  'x-scope': string;
  'x-errors': string[];
  requestBody: {content: {'application/json': {schema: Schema; example?: Record<string, unknown>}}};
  responses: Record<string, ResponseObject>;
}

export interface OpenApi {
  info: {title: string; version: string; description?: string};
  servers: {url: string}[];
  tags: {name: string; description?: string}[];
  paths: Record<string, {post: Operation}>;
  components: {
    schemas: Record<string, Schema>;
    responses: Record<string, ResponseObject>;
  };
}

export interface Parameter {
  name: string;
  schema: Schema;
  required: boolean;
}

/** The names of the schemas that it answers, and whether the answer is a list of them. */
export interface Answers {
  objects: readonly string[];
  list: boolean;
}

export interface Endpoint {
  /** "microblog/search" */
  path: string;
  platform: string;
  operation: string;
  summary: string;
  description: string;
  credits: number;
  scope: string;
  /** The codes that it gives by what it is; others any call can. */
  errors: string[];
  parameters: Parameter[];
  /** Of which exactly one must be given: [["id"], ["url"]]. */
  oneOf: string[][];
  example: Record<string, unknown>;
  answers: Answers;
  /** What the sandbox answers to the example; null where the description has none. */
  answer: unknown;
}

/** Whether it joins the answers of several endpoints; what they cost together is the most. */
export function joinsOthers(endpoint: Endpoint): boolean {
  return endpoint.answers.objects.length > 1;
}

export interface ErrorCode {
  code: string;
  title: string;
  status: number;
  help: string;
  retryable: boolean;
}

const prefix = '/v1/';

export function refName(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}

function answersOf(operation: Operation): Answers {
  const content = operation.responses['200']?.content?.['application/json'];
  const data = content?.schema?.properties?.['data'];
  const list = data?.type === 'array';
  const one = list ? data.items : data;
  const objects = (one?.anyOf ?? (one ? [one] : [])).flatMap(kind =>
    kind.$ref ? [refName(kind.$ref)] : [],
  );
  return {objects, list};
}

function endpointOf(path: string, operation: Operation): Endpoint {
  const {schema, example} = operation.requestBody.content['application/json'];
  const required = new Set(schema.required ?? []);
  return {
    path: path.slice(prefix.length),
    platform: operation.tags[0] ?? '',
    operation: operation.operationId,
    summary: operation.summary,
    description: operation.description ?? '',
    credits: operation['x-credits'],
    scope: operation['x-scope'],
    errors: operation['x-errors'],
    parameters: Object.entries(schema.properties ?? {}).map(([name, of]) => ({
      name,
      schema: of,
      required: required.has(name),
    })),
    oneOf: (schema.oneOf ?? []).map(one => one.required ?? []).filter(names => names.length > 0),
    example: example ?? {},
    answers: answersOf(operation),
    answer: operation.responses['200']?.content?.['application/json']?.example ?? null,
  };
}

export function endpointsOf(document: OpenApi): Endpoint[] {
  return Object.entries(document.paths)
    .filter(([path, item]) => path.startsWith(prefix) && item.post !== undefined)
    .map(([path, item]) => endpointOf(path, item.post));
}

/** Every error that a call can answer, by status and then by name. */
export function errorsOf(document: OpenApi): ErrorCode[] {
  const found = new Map<string, ErrorCode>();
  for (const response of Object.values(document.components.responses)) {
    for (const content of Object.values(response.content ?? {})) {
      for (const [code, {description, value}] of Object.entries(content.examples ?? {})) {
        const {title, status, detail, retryable} = value;
        found.set(code, {code, title, status, help: description ?? detail, retryable});
      }
    }
  }
  return [...found.values()].sort((a, b) => a.status - b.status || compare(a.code, b.code));
}

/** "string", "integer or null", "list of string": a type in words. */
export function typeOf(schema: Schema): string {
  if (schema.$ref) return refName(schema.$ref);
  if (schema.const !== undefined) return `"${schema.const}"`;
  if (schema.anyOf) return fragments.alternatives(schema.anyOf.map(typeOf));
  if (Array.isArray(schema.type)) {
    return fragments.alternatives(schema.type.map(type => typeOf({...schema, type})));
  }
  if (schema.type === 'array')
    return fragments.listOf(schema.items ? typeOf(schema.items) : fragments.values);
  return schema.type ?? 'any';
}

/** The bounds of a value in words; "" without any. */
export function boundsOf(schema: Schema): string {
  const parts: string[] = [];
  const range = (
    least: number | undefined,
    most: number | undefined,
    named: (bound: string) => string = bound => bound,
  ) => {
    if (least !== undefined && most !== undefined) {
      parts.push(named(fragments.between(number(least), number(most))));
    } else if (least !== undefined) parts.push(named(fragments.atLeast(number(least))));
    else if (most !== undefined) parts.push(named(fragments.atMost(number(most))));
  };
  range(schema.minimum, schema.maximum);
  range(schema.minLength, schema.maxLength, fragments.characters);
  range(schema.minItems, schema.maxItems, fragments.valueCount);
  return parts.join(', ');
}

const maxDepth = 4;

/** A value of the schema's shape, for the reference. */
export function sampleOf(schema: Schema, document: OpenApi, name = '', depth = 0): unknown {
  if (schema.$ref) {
    const target = document.components.schemas[refName(schema.$ref)];
    return target && depth < maxDepth ? sampleOf(target, document, name, depth + 1) : null;
  }
  if (schema.const !== undefined) return schema.const;
  if (schema.examples?.length) return schema.examples[0];
  if (schema.default !== undefined) return schema.default;
  if (schema.enum?.length) return schema.enum[0];
  if (schema.anyOf) return sampleOf(schema.anyOf[0] ?? {}, document, name, depth);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'object') {
    const entries = Object.entries(schema.properties ?? {});
    return Object.fromEntries(
      entries.map(([key, value]) => [key, sampleOf(value, document, key, depth + 1)]),
    );
  }
  if (type === 'array') {
    return schema.items && depth < maxDepth
      ? [sampleOf(schema.items, document, name, depth + 1)]
      : [];
  }
  if (type === 'integer' || type === 'number') return 1;
  if (type === 'boolean') return false;
  if (schema.format === 'date-time') return '2026-11-22T08:00:00Z';
  if (schema.format === 'uri') return 'https://example.org/';
  return name === 'lang' ? 'en' : '…';
}

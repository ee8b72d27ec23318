// A schema as a list of its keys: what each is called, its type and bounds, and what it means.
import type {ComponentChildren} from 'preact';
import {boundsOf, refName, typeOf, type Schema} from '../data/openapi';
import {Link} from '../app/router';
import {Prose} from '../parts/markdown';
import {docs as words, fragments, terms} from '../words';

function TypeName({schema}: {schema: Schema}) {
  const target = schema.$ref ?? schema.items?.$ref;
  if (!target) return <span class="type">{typeOf(schema)}</span>;
  return (
    <span class="type">
      {!schema.$ref && fragments.listOf('')}
      <Link href={`/docs/objects/${refName(target)}`}>{refName(target)}</Link>
    </span>
  );
}

function written(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

interface KeyProps {
  name: string;
  schema: Schema;
  /** Beside the type: "required". */
  mark?: string;
  id?: string;
  children?: ComponentChildren;
}

export function Key({name, schema, mark, id, children}: KeyProps) {
  const bounds = boundsOf(schema);
  const choices = schema.enum ?? schema.items?.enum;
  const example = schema.examples?.[0];
  return (
    <li class="key" id={id}>
      <p class="key-head">
        <code class="key-name">{name}</code> <TypeName schema={schema} />
        {mark && <span class="badge warn">{mark}</span>}
        {id && (
          <a href={`#${id}`} class="anchor" aria-label={words.linkTo(name)}>
            #
          </a>
        )}
      </p>
      {schema.description && (
        <p>
          <Prose text={schema.description} />
        </p>
      )}
      {choices && (
        <p class="key-choices">
          {words.choices}{' '}
          {choices.map((choice, i) => (
            <span key={choice}>
              {i > 0 && ', '}
              <code>{choice}</code>
            </span>
          ))}
        </p>
      )}
      {(bounds || schema.default !== undefined || example !== undefined) && (
        <p class="key-facts">
          {bounds && <span>{bounds}</span>}
          {schema.default !== undefined && (
            <span>
              {terms.fallback} <code>{written(schema.default)}</code>
            </span>
          )}
          {example !== undefined && (
            <span>
              {terms.example} <code>{written(example)}</code>
            </span>
          )}
        </p>
      )}
      {children}
    </li>
  );
}

const maxDepth = 3;

/** The keys of an object, and of what stands inside it. */
export function Keys({schema, depth = 0}: {schema: Schema; depth?: number}) {
  const properties = Object.entries(schema.properties ?? {});
  if (properties.length === 0) return null;
  return (
    <ul class="keys">
      {properties.map(([name, of]) => {
        const inner = of.properties ? of : of.items?.properties ? of.items : null;
        return (
          <Key key={name} name={name} schema={of}>
            {inner && depth < maxDepth && <Keys schema={inner} depth={depth + 1} />}
          </Key>
        );
      })}
    </ul>
  );
}

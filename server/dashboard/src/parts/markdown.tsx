// A markdown tree as elements. Everything becomes text: no HTML of a page is ever inserted.
import type {ComponentChildren} from 'preact';
import {useMemo} from 'preact/hooks';
import {Link} from '../app/router';
import {blocksOf, maxShownLength, type Block, type Span} from '../data/markdown';
import {TableFrame} from './table';
import {shell} from '../words';

function span(one: Span, key: number): ComponentChildren {
  switch (one.kind) {
    case 'text':
      return one.text;
    case 'code':
      return <code key={key}>{one.text}</code>;
    case 'strong':
      return <strong key={key}>{one.spans.map(span)}</strong>;
    case 'emphasis':
      return <em key={key}>{one.spans.map(span)}</em>;
    case 'deleted':
      return <del key={key}>{one.spans.map(span)}</del>;
    case 'link':
      if (one.url.startsWith('/')) {
        return (
          <Link key={key} href={one.url}>
            {one.spans.map(span)}
          </Link>
        );
      }
      return one.url ? (
        <a key={key} href={one.url} target="_blank" rel="noopener noreferrer nofollow">
          {one.spans.map(span)}
        </a>
      ) : (
        <span key={key}>{one.spans.map(span)}</span>
      );
  }
}

function textOf(one: Span): string {
  return 'spans' in one ? one.spans.map(textOf).join('') : one.text;
}

/** What tells a table from the others of its page: its head, and where its first row begins. */
function nameOf(head: Span[][], first: Span[][] = []): string {
  return [...head, first[0] ?? []].map(cell => cell.map(textOf).join('')).join(', ');
}

/** Columns of text beside each other, each of which can still be read. */
const mostThatFit = 5;

function block(one: Block, key: number): ComponentChildren {
  switch (one.kind) {
    case 'heading': {
      // The page's own headings come before; a document begins two levels down.
      const Tag = `h${Math.min(6, one.level + 2)}` as 'h3';
      return <Tag key={key}>{one.spans.map(span)}</Tag>;
    }
    case 'paragraph':
      return <p key={key}>{one.spans.map(span)}</p>;
    case 'code':
      return (
        <pre key={key} tabIndex={0} aria-label={shell.codeInDocument}>
          <code>{one.text}</code>
        </pre>
      );
    case 'rule':
      return <hr key={key} />;
    case 'quote':
      return <blockquote key={key}>{one.blocks.map(block)}</blockquote>;
    case 'list': {
      const items = one.items.map((item, i) => <li key={i}>{item.map(block)}</li>);
      return one.ordered ? (
        <ol key={key} start={one.start}>
          {items}
        </ol>
      ) : (
        <ul key={key}>{items}</ul>
      );
    }
    case 'table':
      return (
        <TableFrame
          key={key}
          label={shell.tableName(nameOf(one.head, one.rows[0]))}
          wide={one.head.length > mostThatFit}
        >
          <table class="rows">
            <thead>
              <tr>
                {one.head.map((cell, i) => (
                  <th key={i} scope="col">
                    {cell.map(span)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {one.rows.map((row, i) => (
                <tr key={i}>
                  {row.map((cell, j) => (
                    <td
                      key={j}
                      class={cell.length === 0 ? 'void' : undefined}
                      data-label={(one.head[j] ?? []).map(textOf).join('')}
                    >
                      <span>{cell.map(span)}</span>
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </TableFrame>
      );
  }
}

/** A tree that somebody has read already. */
export function Blocks({blocks}: {blocks: readonly Block[]}) {
  return <div class="markdown">{blocks.map(block)}</div>;
}

export function Markdown({text}: {text: string}) {
  const blocks = useMemo(() => blocksOf(text.slice(0, maxShownLength)), [text]);
  return (
    <div class="markdown">
      {blocks.map(block)}
      {text.length > maxShownLength && <p class="muted">{shell.documentCut(maxShownLength)}</p>}
    </div>
  );
}

/** The catalogue's descriptions: one paragraph with code in it. */
export function Prose({text}: {text: string}) {
  const blocks = useMemo(() => blocksOf(text), [text]);
  return (
    <>
      {blocks.map((one, i) =>
        one.kind === 'paragraph' ? <span key={i}>{one.spans.map(span)} </span> : block(one, i),
      )}
    </>
  );
}

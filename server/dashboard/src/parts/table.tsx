// Tables that turn into cards on a narrow screen: every cell carries the name of its column.
import {Fragment, type ComponentChildren} from 'preact';

export interface Column<T> {
  name: string;
  cell(row: T): ComponentChildren;
  numeric?: boolean;
  /** What stands behind a number where a row is a line; null where there is nothing to show. */
  unit?(row: T): string | null;
  /** Whether it says nothing of a row, so that a narrow screen leaves it out. */
  isVoid?(row: T): boolean;
}

/** The server's own numbers: letters of any width, which only the code font makes alike. */
const idShape = /^[a-z]+_[0-9A-Z]{26}$/;

/** A text that may be long and without a space: it breaks where its parts meet, if that will do. */
export function Long({text}: {text: string}) {
  if (idShape.test(text)) return <code class="long">{text}</code>;
  return <span class="long">{parted(text.split(/(?<=[:,/])|(?=@)/))}</span>;
}

/** A name with dots, which breaks behind them. */
export function Dotted({name}: {name: string}) {
  return <code>{parted(name.split(/(?<=\.)/))}</code>;
}

/** The path of an endpoint, which breaks behind a slash. */
export function Path({of}: {of: string}) {
  return <>{parted(of.split(/(?<=\/)/))}</>;
}

function parted(parts: readonly string[]): ComponentChildren {
  return parts.map((part, i) => (
    <Fragment key={i}>
      {i > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}

interface FrameProps {
  label: string;
  /** More columns than a page has room for: an edge says where there are more. */
  wide?: boolean;
  children: ComponentChildren;
}

/** Where a wide table scrolls. */
export function TableFrame({label, wide, children}: FrameProps) {
  return (
    <div
      class={wide ? 'table-frame wide' : 'table-frame'}
      role="region"
      aria-label={label}
      tabIndex={0}
    >
      {children}
    </div>
  );
}

interface TableProps<T> {
  caption: string;
  columns: readonly Column<T>[];
  /** Those with an id keep their elements when they move. */
  rows: readonly (T & {id?: string})[];
  /** In its place where there are no rows. */
  empty?: ComponentChildren;
  /** On a narrow screen two lines a row, in place of a card. */
  lines?: boolean;
  /** On a narrow screen a card whose head is the first two cells, and whose facts share lines. */
  tight?: boolean;
  /** The row that one came for. */
  marked?: string | null;
}

function Cell<T>({column, row}: {column: Column<T>; row: T}) {
  const unit = column.unit?.(row);
  const isVoid = unit === null || column.isVoid?.(row);
  return (
    <td
      class={`${column.numeric ? 'numeric' : ''} ${isVoid ? 'void' : ''}`.trim()}
      data-label={column.name}
      data-unit={unit ?? column.name.toLowerCase()}
    >
      <span>{column.cell(row)}</span>
    </td>
  );
}

export function Table<T>(props: TableProps<T>) {
  const {caption, columns, rows, empty, lines, tight, marked} = props;
  if (empty && rows.length === 0) return <>{empty}</>;
  return (
    <TableFrame label={caption}>
      <table class={`rows ${lines ? 'lines' : tight ? 'tight' : ''}`.trim()}>
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(column => (
              <th key={column.name} scope="col" class={column.numeric ? 'numeric' : ''}>
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <tr
              key={row.id ?? i}
              aria-current={row.id !== undefined && row.id === marked ? 'true' : undefined}
            >
              {columns.map(column => (
                <Cell key={column.name} column={column} row={row} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  );
}

/** What is known of one thing, by name. */
export function Facts({facts}: {facts: readonly [string, ComponentChildren][]}) {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

// Tables that turn into cards on a narrow screen: every cell carries the name of its column.
import type {ComponentChildren} from 'preact';

export interface Column<T> {
  name: string;
  cell(row: T): ComponentChildren;
  numeric?: boolean;
}

interface TableProps<T> {
  caption: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  rowKey(row: T): string;
}

export function Table<T>({caption, columns, rows, rowKey}: TableProps<T>) {
  return (
    <div class="table-frame" role="region" aria-label={caption} tabIndex={0}>
      <table class="rows">
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
          {rows.map(row => (
            <tr key={rowKey(row)}>
              {columns.map(column => (
                <td
                  key={column.name}
                  class={column.numeric ? 'numeric' : ''}
                  data-label={column.name}
                >
                  <span>{column.cell(row)}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

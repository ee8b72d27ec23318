// A list saved as CSV, all of its pages, with how far it is in words.
import {useState} from 'preact/hooks';
import {csvParts, type Cell} from '../data/csv';
import {download} from '../data/download';
import {useAttempt} from './loading';
import {shell} from '../words';

/** `list` is what is read, in the words and in the name of the file; `pages` begins it anew. */
export function useCsvExport<Name extends string>(
  list: string,
  columns: readonly Name[],
  pages: () => AsyncIterable<readonly Readonly<Record<Name, Cell>>[]>,
) {
  const [said, setSaid] = useState('');
  const {problem, busy, attempt} = useAttempt();
  const run = () =>
    attempt(async () => {
      try {
        let read = 0;
        setSaid(shell.loading(list));
        const parts = await csvParts(columns, pages(), rows => {
          read = rows;
          setSaid(shell.rowsRead(rows));
        });
        download(`freshet-${list.toLowerCase().replaceAll(' ', '-')}.csv`, 'text/csv', ...parts);
        setSaid(shell.rowsSaved(read));
      } catch (failure) {
        setSaid('');
        throw failure;
      }
    }, true);
  return {said, problem, busy, run};
}

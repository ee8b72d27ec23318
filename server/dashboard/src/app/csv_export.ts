// A list saved as CSV, all of its pages, with how far it is in words.
import {useState} from 'preact/hooks';
import {csvParts, type Cell} from '../data/csv';
import {download} from '../data/download';
import {counted, number} from '../data/format';
import {useAttempt} from './loading';

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
        setSaid(`Reading the ${list}…`);
        const parts = await csvParts(columns, pages(), rows => {
          read = rows;
          setSaid(`${number(rows)} rows…`);
        });
        download(`freshet-${list.replaceAll(' ', '-')}.csv`, 'text/csv', ...parts);
        setSaid(`${counted(read, 'row')} saved`);
      } catch (failure) {
        setSaid('');
        throw failure;
      }
    }, true);
  return {said, problem, busy, run};
}

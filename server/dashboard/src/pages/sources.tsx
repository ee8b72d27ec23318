// The health of the sources: which are asked, how they answered in the last hour, which are left
// alone and for how long.
import {get} from '../api/http';
import type {SourceState} from '../api/types';
import {useLoaded} from '../app/loading';
import {Page} from '../app/shell';
import {Button} from '../parts/controls';
import {Empty, LoadedView} from '../parts/notice';
import {SourcesByPlatform} from '../parts/sources';
import {actions, sources as words, terms} from '../words';

export function SourcesPage() {
  const loaded = useLoaded(
    async () => (await get<{sources: SourceState[]}>('/dashboard/api/sources')).sources,
    [],
  );
  return (
    <Page
      title={terms.sources}
      lead={words.lead}
      actions={<Button onClick={loaded.again}>{actions.refresh}</Button>}
    >
      <LoadedView of={loaded} what={terms.sources}>
        {rows =>
          rows.length === 0 ? (
            <Empty title={words.empty} />
          ) : (
            <>
              <p class="help" aria-live="polite">
                {words.inUse(rows.filter(row => row.state === 'ok').length, rows.length)}
              </p>
              <SourcesByPlatform rows={rows} />
            </>
          )
        }
      </LoadedView>
    </Page>
  );
}

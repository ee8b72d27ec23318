// The health of the sources: which are asked, how they answered in the last hour, which are left
// alone and for how long.
import {get} from '../api/http';
import type {SourceState} from '../api/types';
import {useLoaded} from '../app/loading';
import {Page} from '../app/shell';
import {counted} from '../data/format';
import {Button} from '../parts/controls';
import {Empty, LoadedView} from '../parts/notice';
import {SourcesByPlatform} from '../parts/sources';

export function SourcesPage() {
  const loaded = useLoaded(
    async () => (await get<{sources: SourceState[]}>('/dashboard/api/sources')).sources,
    [],
  );
  return (
    <Page
      title="Sources"
      lead="A source that refuses is left alone for a while. Numbers are of the last hour."
      actions={<Button onClick={loaded.again}>Refresh</Button>}
    >
      <LoadedView of={loaded} what="the sources">
        {rows =>
          rows.length === 0 ? (
            <Empty title="This server has no sources" />
          ) : (
            <>
              <p class="help" aria-live="polite">
                {rows.filter(row => row.state === 'ok').length} of{' '}
                {counted(rows.length, 'source')} are asked.
              </p>
              <SourcesByPlatform rows={rows} />
            </>
          )
        }
      </LoadedView>
    </Page>
  );
}

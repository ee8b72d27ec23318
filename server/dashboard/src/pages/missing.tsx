// An address that leads nowhere.
import {Link, useRouter} from '../app/router';
import {Page} from '../app/shell';

export function MissingPage() {
  const {path} = useRouter();
  return (
    <Page title="There is no such page" narrow>
      <p>
        Nothing is at <code>{path}</code>. Go to the <Link href="/dashboard">overview</Link> or to
        the <Link href="/docs">reference of the API</Link>.
      </p>
    </Page>
  );
}

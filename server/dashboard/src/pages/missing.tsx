// An address that leads nowhere.
import {useRouter} from '../app/router';
import {Page} from '../app/shell';
import {Message} from '../parts/message';
import {shell} from '../words';

export function MissingPage() {
  const {path} = useRouter();
  return (
    <Page title={shell.missing} narrow>
      <p>
        <Message text={shell.missingPath(path)} />
      </p>
    </Page>
  );
}

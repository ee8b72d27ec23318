// Recovery codes in the moment in which they are shown, once: by whatever second factor came first.
import {Button} from './controls';
import {Notice} from './notice';

export function RecoveryCodes({codes, whenKept}: {codes: string[]; whenKept(): void}) {
  return (
    <>
      <Notice kind="good" title="The second factor is on; every other session ended.">
        Keep these recovery codes where the device is not: each signs you in once without it, and
        they are not shown again.
      </Notice>
      <ul class="codes" aria-label="Recovery codes">
        {codes.map(code => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div class="form-foot">
        <Button onClick={whenKept}>I have kept them</Button>
      </div>
    </>
  );
}

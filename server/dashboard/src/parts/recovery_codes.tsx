// Recovery codes in the moment in which they are shown, once: by whatever second factor came first.
import {Button} from './controls';
import {Notice} from './notice';
import {actions, factors as words} from '../words';

export function RecoveryCodes({codes, whenKept}: {codes: string[]; whenKept(): void}) {
  return (
    <>
      <Notice kind="good" title={words.codesMade}>
        {words.codesHelp}
      </Notice>
      <ul class="codes" aria-label={words.codes}>
        {codes.map(code => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div class="form-foot">
        <Button onClick={whenKept}>{actions.haveKept}</Button>
      </div>
    </>
  );
}

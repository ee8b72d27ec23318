// What a mail's link leads to: its form, or at once that it is good no more. Looking does not use
// it up.
import type {ComponentChildren} from 'preact';
import {problemOf, send} from '../api/http';
import {useLoaded} from '../app/loading';
import {Loading, Notice} from '../parts/notice';
import {access as words, terms} from '../words';

interface Props {
  token: string;
  purpose: 'verify' | 'reset';
  /** Why a link may be good no more, and what to do about it. */
  over: string;
  otherwise: ComponentChildren;
  children: ComponentChildren;
}

/** Only the server's word that it is not good counts: otherwise the form is there to be tried. */
async function isGood(purpose: string, token: string): Promise<boolean> {
  try {
    await send(`${purpose}/check`, {token}, {quiet: true});
    return true;
  } catch (failure) {
    return problemOf(failure).code !== 'invalid_token';
  }
}

export function OfLink({token, purpose, over, otherwise, children}: Props) {
  const {value} = useLoaded(() => isGood(purpose, token), [purpose, token]);
  if (value === null) return <Loading what={terms.link} />;
  if (value) return <>{children}</>;
  return (
    <>
      <Notice kind="warn" title={words.linkOver}>
        <p>{over}</p>
      </Notice>
      {otherwise}
    </>
  );
}

// The first minutes: the first keys and a first call with them.
import {number} from '../data/format';

export const name = 'First steps';
export const title = 'Your first call';
export const lead = 'Your account is ready.';
export const keyShownOnce = 'Copy it now: you see it only once';
export const keysShownOnce = 'Copy them now: you see them only once';
export const keyHash = 'We keep only a hash of it. Store it with your other secrets.';
export const keyHashes = 'We keep only hashes. Store them with your other secrets.';
export const liveHelp = 'Real sources. A call that succeeds costs what its page says.';
export const testHelp = 'Recorded answers from the sandbox: no network, 0 credits.';
export const haveKeys = 'Your account has keys already';
export const haveKeysHelp =
  'You saw them when they were created. If you have lost them, ' +
  '[create another](/dashboard/keys).';
export const which =
  'A test key gets recorded answers from the sandbox, with no network and no credits. ' +
  'A live key asks the sources.';
export const run = 'Run this';
export const code = 'First call';
export const todo = 'To do';
export const waiting = 'Waiting for your call';
export const waitingHelp = 'It appears here a moment after you run it.';
export const seen = 'We see your call';
export const seenHelp = (endpoint: string, status: number, ms: number) =>
  `\`${endpoint}\` was answered with ${status} in ${number(ms)} ms.`;
export const failed = 'Your call failed';
export const failedHelp = (endpoint: string, status: number, code: string) =>
  `\`${endpoint}\` was answered with ${status} \`${code}\`. See why, then run it again.`;
export const playground =
  'Or try every endpoint in the [playground](/dashboard/playground), without a key.';
export const liveKeyName = 'First key';

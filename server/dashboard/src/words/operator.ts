// The service, plans, keys and the verification, as operators see them.
import {number} from '../data/format';
import * as counted from './counted';

export const serviceLead = 'What the server does now, and how the last hour was.';
export const callsOfHour = 'Calls in the last hour';
export const rate = (perMinute: string, now: number) =>
  `${perMinute} a minute, ${number(now)} in these five minutes`;
export const duration = 'Time of a call';
export const finding = 'What was found';
export const checkup = 'Do the sources answer as they did?';
export const checkupAwaited = 'The first check comes 5 to 65 minutes after the start.';
export const checkupHelp = (ok: number, changed: number, failed: number, unasked: number) =>
  `${counted.endpoints(ok)} as before, ${number(changed)} changed, ${number(failed)} failed, ` +
  `${number(unasked)} not asked.`;
export const checkupCaption = 'Endpoints of sources that have changed or failed';
export const unchanged = 'Nothing has changed.';
export const busiest = 'Accounts with the most calls';
export const busiestCaption = 'Accounts with the most calls in the last hour';
export const idle = 'No calls in the last hour';
export const version = (asked: number, version: string) =>
  `${counted.sources(asked)} in use. Version ${version}.`;
export const running = 'Calls running';
export const runningOf = (calls: number, accounts: number) =>
  calls > 0 ? `${number(calls)}, of ${counted.accounts(accounts)}` : '0';
export const runningHelp =
  'Begun and not answered yet. An account may have as many as `concurrency` of its plan says; ' +
  'what is more gets `rate_limited`.';
export const shortWork = 'Steps waiting';
export const shortWorkHelp =
  'For a processor, within a call. Near 0 while there are enough processors.';
export const longWork = 'Pages waiting';
export const longWorkHelp =
  'To be read or written. If it stays above 0, give the server more processors, or see below who ' +
  'calls the most.';
export const charges = 'Charges waiting';
export const chargesHelp =
  'For the disk, before their calls are answered. If it grows, the disk is slow or full: see the ' +
  'log of the server.';
export const asked = 'Requests to sources';
export const askedOf = (running: number, pending: number) =>
  `${number(running)} running, ${number(pending - running)} waiting`;
export const askedHelp = 'A wait is for its turn: no source is asked faster than it allows.';
export const memory = 'Memory in use';
export const memoryOf = (used: number, bound: number) =>
  `${number(used)} of ${number(bound)} MiB`;
export const memoryHelp =
  'Near the bound caches are given up, then calls with `overloaded`. Where the machine has more, ' +
  'raise `server.max_memory_bytes`.';
export const plansLead =
  'Set in the configuration under `plans.<name>`. A change takes effect at the next start.';
export const monthlyCredits = 'Credits a month';
export const rateLimit = 'Requests a second';
export const burst = 'At once';
export const verificationLead =
  'Replays every entry of the ledger: balances, the sum of zero, the chain of hashes.';
export const sound = 'The ledger is sound';
export const unsound = 'The ledger is not sound: see the findings below';
export const verifying = 'Verifying…';
export const keysOf = (email: string) => `Keys of ${email}`;
export const noKeys = 'No keys';

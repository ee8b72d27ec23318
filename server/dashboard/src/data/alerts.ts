// What refuses an account's calls now, or soon will: the overview begins with it.
import type {Account, ApiKey} from '../api/types';

/** What is left of a month when it runs low: the share at which the mails begin. */
const lowShare = 0.2;

/** Whether the credits run out, and what is left of them. */
export function creditsState(account: Pick<Account, 'balance' | 'reserved' | 'period'>) {
  const left = Math.max(0, account.balance - account.reserved);
  // What running calls hold may come back.
  if (account.balance === 0) return {state: 'empty', left} as const;
  const {grant} = account.period;
  const isLow = grant > 0 && left <= lowShare * grant;
  return {state: isLow ? 'low' : 'enough', left} as const;
}

type Ends = Pick<ApiKey, 'revoked_at' | 'expires_at'>;

/** Whether it works no more; what is revoked ends at once. */
export function isKeyOver(key: Ends, now: number): boolean {
  return key.revoked_at !== null || (key.expires_at !== null && Date.parse(key.expires_at) <= now);
}

type Limits = Ends & Pick<ApiKey, 'monthly_budget' | 'budget_used'>;

/** Whether a key that is good for calls otherwise has used its budget, or most of it. */
export function budgetState(key: Limits, now: number): 'empty' | 'low' | 'enough' {
  const budget = key.monthly_budget;
  if (budget === null || isKeyOver(key, now)) return 'enough';
  const left = budget - (key.budget_used ?? 0);
  if (left <= 0) return 'empty';
  return left <= lowShare * budget ? 'low' : 'enough';
}

// The shapes that the application works with. Those of the API come from its OpenAPI document;
// those of the dashboard's own interface stand here.
import type {components} from '../../schema';

type Schemas = components['schemas'];
export type Account = Schemas['Account'];
export type UsageRow = Schemas['UsageRow'];
export type LedgerEntry = Schemas['LedgerEntry'];
export type LedgerVerification = Schemas['LedgerVerification'];
export type RequestRow = Schemas['Request'];
export type ApiKey = Schemas['ApiKey'];
export type AlertSettings = Schemas['AlertSettings'];
export type AlertTest = Schemas['AlertTest'];
export type Meta = Schemas['Meta'];
export type Page = Schemas['Page'];

/** What every call of the API answers. */
export interface Envelope<T> {
  data: T;
  page?: Page;
  meta: Meta;
}

export interface SessionAccount {
  id: string;
  email: string;
  email_verified: boolean;
  plan: string;
  operator: boolean;
  created_at: string;
}

export interface Session {
  signed_in: boolean;
  csrf_token: string | null;
  account: SessionAccount | null;
  sign_up_open: boolean;
  mail: 'smtp' | 'log';
  /** Whether alerts go by mail. */
  alert_mails: boolean;
  service: {base_url: string; version: string};
}

export interface SessionRow {
  id: string;
  created_at: string;
  last_used_at: string;
  address: string;
  user_agent: string;
  current: boolean;
}

export interface Passkey {
  id: string;
  name: string;
  created_at: string;
  last_used_at: string | null;
}

export interface SecondFactor {
  /** Of either kind. */
  on: boolean;
  /** Whether an authenticator's codes are. */
  codes: boolean;
  passkeys: Passkey[];
  /** Whether browsers make passkeys for the server's address. */
  passkeys_possible: boolean;
  recovery_codes: number;
  /** Whether the account has to have one for what it may do. */
  required: boolean;
}

export interface NewFactor {
  /** In base 32, to be typed. */
  secret: string;
  /** For a QR code. */
  uri: string;
}

export interface SourceState {
  name: string;
  platforms: string[];
  state: 'ok' | 'suspended' | 'not_configured' | 'disabled';
  code: string | null;
  retry_after_s: number | null;
  /** Of the last hour. */
  asked: number;
  failed: number;
  p50_ms: number | null;
  last_error: string | null;
  last_error_at: string | null;
}

export interface ServiceState {
  version: string;
  hour: {
    calls: number;
    failed: number;
    p50_ms: number;
    p95_ms: number;
    step_s: number;
    steps: {calls: number; failed: number}[];
    codes: {code: string; calls: number}[];
  };
  now: {
    calls_running: number;
    accounts_calling: number;
    short_work_waiting: number;
    long_work_waiting: number;
    ledger_queue: number;
    /** With those on the network; none of both where nothing is asked. */
    requests_pending?: number;
    exchanges_running?: number;
    memory_used_bytes: number;
    memory_bound_bytes: number;
  };
  accounts: {id: string; email: string | null; calls: number}[];
  sources: SourceState[];
  /** Null where nobody checks. */
  checkup: Checkup | null;
}

/** What sources answered to the daily check. */
export interface Checkup {
  checked_at: string | null;
  ok: number;
  changed: number;
  failed: number;
  not_asked: number;
  findings: {
    source: string;
    instance: string | null;
    endpoint: string;
    status: 'changed' | 'failed';
    findings: string[];
  }[];
}

export interface PublicStatus {
  takes_calls: boolean;
  p50_ms: number | null;
  platforms: {
    name: string;
    state: 'ok' | 'partial' | 'down';
    sources: number;
    answering: number;
  }[];
}

export interface Plan {
  name: string;
  monthly_credits: number;
  rate: number;
  burst: number;
}

export interface OperatorAccount {
  id: string;
  email: string | null;
  plan: string;
  balance: number;
  operator: boolean;
  email_verified: boolean;
  created_at: string;
  deleted_at: string | null;
}

export interface AuditEntry {
  id: string;
  at: string;
  actor: string;
  action: string;
  subject: string | null;
  detail: string;
  address: string | null;
}

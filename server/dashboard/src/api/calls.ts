// The API's endpoints as a signed-in person calls them: under the session, without a key.
import {type Answer, inTime, type Options, send, sendStreamed} from './http';
import type {Account, Envelope, Meta} from './types';

export interface CallOptions extends Options {
  sandbox?: boolean;
}

const headersOf = ({sandbox}: CallOptions): Record<string, string> =>
  sandbox ? {'X-Sandbox': 'true'} : {};

/** One call of an endpoint such as "microblog/search". */
export function call<T>(
  endpoint: string,
  parameters: object = {},
  options: CallOptions = {},
): Promise<Answer<Envelope<T>>> {
  return send(`v1/${endpoint}`, parameters, {...options, headers: headersOf(options)});
}

let accountUnderWay: Promise<Account> | null = null;

/** The account as it is now, asked once for all who want it at the same time. That the session has
 * ended is told by whatever else a page asks for. */
export function showAccount(): Promise<Account> {
  accountUnderWay ??= call<Account>('account/show', {}, {quiet: true})
    .then(answer => answer.body.data)
    .finally(() => {
      accountUnderWay = null;
    });
  return accountUnderWay;
}

/** What one source of a list has answered, while others are asked. */
export type SourceEvent<T> = Meta['sources'][number] & {data: T[]};

/** As call(), of a list: `tell` is given each source as it answers. */
export function callStreamed<T>(
  endpoint: string,
  parameters: object,
  options: CallOptions,
  tell: (of: SourceEvent<T>) => void,
): Promise<Answer<Envelope<T[]>>> {
  const all = {...options, headers: headersOf(options)};
  const each = (of: unknown) => tell(of as SourceEvent<T>);
  return sendStreamed<Envelope<T[]>>(`v1/${endpoint}`, parameters, all, each);
}

const maxPages = 1000;

/** The pages of a list, one after the other, each gone once the next is asked for. One that is
 * refused for coming too early is asked for again when the server says. */
export async function* pagesOf<T>(endpoint: string, parameters: object): AsyncGenerator<T[]> {
  let cursor: string | null = null;
  do {
    const more: object = cursor === null ? parameters : {...parameters, cursor};
    const asked = {limit: 100, ...more};
    const {body}: Answer<Envelope<T[]>> = await inTime(() => call<T[]>(endpoint, asked));
    yield body.data;
    cursor = body.page?.next_cursor ?? null;
  } while (cursor !== null);
}

/** Every item of a list, page after page, up to 100,000. */
export async function callAll<T>(endpoint: string, parameters: object): Promise<T[]> {
  const items: T[] = [];
  let pages = 0;
  for await (const page of pagesOf<T>(endpoint, parameters)) {
    items.push(...page);
    if (++pages === maxPages) break;
  }
  return items;
}

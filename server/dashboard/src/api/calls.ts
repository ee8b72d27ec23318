// The API's endpoints as a signed-in person calls them: under the session, without a key.
import {type Answer, type Options, send} from './http';
import type {Envelope} from './types';

export interface CallOptions extends Options {
  sandbox?: boolean;
}

/** One call of an endpoint such as "microblog/search". */
export function call<T>(
  endpoint: string,
  parameters: object = {},
  options: CallOptions = {},
): Promise<Answer<Envelope<T>>> {
  const headers: Record<string, string> = options.sandbox ? {'X-Sandbox': 'true'} : {};
  return send(`v1/${endpoint}`, parameters, {...options, headers});
}

const maxPages = 1000;

/** Every item of a list, page after page; `progress` hears how many there are so far. */
export async function callAll<T>(
  endpoint: string,
  parameters: object,
  progress?: (items: number) => void,
): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < maxPages; ++page) {
    const more: object = cursor === null ? parameters : {...parameters, cursor};
    const {body} = await call<T[]>(endpoint, {limit: 100, ...more});
    items.push(...body.data);
    progress?.(items.length);
    cursor = body.page?.next_cursor ?? null;
    if (cursor === null) break;
  }
  return items;
}

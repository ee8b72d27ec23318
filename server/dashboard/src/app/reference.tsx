// The OpenAPI document, fetched once it is needed, and shared by the playground, the forms and the
// reference. It is the largest of what a page may read, and several of the dashboard's need none.
import {createContext} from 'preact';
import type {ComponentChildren} from 'preact';
import {useContext, useLayoutEffect, useMemo, useState} from 'preact/hooks';
import {CallFailed, get, type Problem} from '../api/http';
import {endpointsOf, errorsOf, type Endpoint, type ErrorCode, type OpenApi} from '../data/openapi';
import {useLoaded} from './loading';
import {problems} from '../words';

export interface Reference {
  document: OpenApi;
  endpoints: Endpoint[];
  errors: ErrorCode[];
  baseUrl: string;
  find(path: string): Endpoint | undefined;
}

interface State {
  reference: Reference | null;
  problem: Problem | null;
  again(): void;
}

interface Shared extends State {
  want(): void;
}

const nothing = () => {};
const Context = createContext<Shared>({
  reference: null,
  problem: null,
  again: nothing,
  want: nothing,
});

async function fetchDocument(): Promise<OpenApi> {
  const document = await get<OpenApi>('/openapi.json');
  if (typeof document.paths === 'object') return document;
  throw new CallFailed({
    type: 'about:blank',
    title: problems.description,
    status: 0,
    detail: problems.descriptionHelp,
    code: 'internal',
  });
}

export function ReferenceProvider({children}: {children: ComponentChildren}) {
  const [wanted, setWanted] = useState(false);
  const {value, problem, again} = useLoaded(
    async () => (wanted ? await fetchDocument() : null),
    [wanted],
  );
  const state = useMemo<Shared>(() => {
    const rest = {problem, again, want: () => setWanted(true)};
    if (value === null) return {reference: null, ...rest};
    const endpoints = endpointsOf(value);
    const reference = {
      document: value,
      endpoints,
      errors: errorsOf(value),
      // What the operator says, for it may be behind a proxy; else where this page came from.
      baseUrl: value.servers[0]?.url || location.origin,
      find: (path: string) => endpoints.find(one => one.path === path),
    };
    return {reference, ...rest};
  }, [value, problem, again]);
  return <Context.Provider value={state}>{children}</Context.Provider>;
}

/** The first that asks for it has it fetched. */
export function useReference(): State {
  const shared = useContext(Context);
  useLayoutEffect(() => shared.want(), []);
  return shared;
}

// The OpenAPI document, fetched once and shared by the playground, the forms and the reference.
import {createContext} from 'preact';
import type {ComponentChildren} from 'preact';
import {useContext, useMemo} from 'preact/hooks';
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

const Context = createContext<State>({reference: null, problem: null, again: () => {}});

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
  const {value, problem, again} = useLoaded(fetchDocument, []);
  const state = useMemo<State>(() => {
    if (value === null) return {reference: null, problem, again};
    const endpoints = endpointsOf(value);
    const reference = {
      document: value,
      endpoints,
      errors: errorsOf(value),
      // What the operator says, for it may be behind a proxy; else where this page came from.
      baseUrl: value.servers[0]?.url || location.origin,
      find: (path: string) => endpoints.find(one => one.path === path),
    };
    return {reference, problem, again};
  }, [value, problem, again]);
  return <Context.Provider value={state}>{children}</Context.Provider>;
}

export function useReference(): State {
  return useContext(Context);
}

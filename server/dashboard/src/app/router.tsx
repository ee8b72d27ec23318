// Where we are: the path and the query of the address, and going elsewhere without loading the page
// again. It knows no page.
import {createContext} from 'preact';
import type {ComponentChildren, JSX} from 'preact';
import {useContext, useEffect, useMemo, useState} from 'preact/hooks';

export interface Place {
  path: string;
  query: URLSearchParams;
  hash: string;
}

interface Router extends Place {
  go(to: string, replace?: boolean): void;
}

function read(): Place {
  const path = location.pathname.replace(/\/+$/, '') || '/';
  return {path, query: new URLSearchParams(location.search), hash: location.hash};
}

const Context = createContext<Router>({...read(), go: () => {}});

export function RouterProvider({children}: {children: ComponentChildren}) {
  const [place, setPlace] = useState(read);
  useEffect(() => {
    const moved = () => setPlace(read());
    addEventListener('popstate', moved);
    return () => removeEventListener('popstate', moved);
  }, []);
  const router = useMemo<Router>(
    () => ({
      ...place,
      go(to, replace) {
        if (replace) history.replaceState(null, '', to);
        else history.pushState(null, '', to);
        setPlace(read());
      },
    }),
    [place],
  );
  return <Context.Provider value={router}>{children}</Context.Provider>;
}

export function useRouter(): Router {
  return useContext(Context);
}

type LinkProps = JSX.AnchorHTMLAttributes<HTMLAnchorElement> & {href: string};

/** An ordinary link that stays inside the page when it leads to one of ours. */
export function Link({href, onClick, ...rest}: LinkProps) {
  const {go} = useRouter();
  return (
    <a
      href={href}
      onClick={event => {
        onClick?.(event);
        const plain = !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
        if (event.defaultPrevented || event.button !== 0 || !plain) return;
        event.preventDefault();
        go(href);
      }}
      {...rest}
    />
  );
}

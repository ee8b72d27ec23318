// Pictures of an answer: only at the addresses of this server that came with the answer. What has
// none, or does not load, leaves its place to what stands there without pictures.
import {createContext} from 'preact';
import type {ComponentChildren} from 'preact';
import {useContext, useState} from 'preact/hooks';

/** The address here, by that of the source. */
export type Pictures = Readonly<Record<string, string>>;

const Context = createContext<Pictures>({});

export function PicturesOf({of, children}: {of: Pictures; children: ComponentChildren}) {
  return <Context.Provider value={of}>{children}</Context.Provider>;
}

export function usePictureOf(url: unknown): string | null {
  const pictures = useContext(Context);
  return typeof url === 'string' ? (pictures[url] ?? null) : null;
}

interface Props {
  url: unknown;
  /** "" for what only decorates. */
  alt: string;
  class: string;
  /** It does not load. */
  onLost?: (() => void) | undefined;
  /** What stands there in its place. */
  children?: ComponentChildren;
}

export function Picture({url, alt, class: look, onLost, children}: Props) {
  const at = usePictureOf(url);
  const [failed, setFailed] = useState<string | null>(null);
  if (at === null || at === failed) return <>{children}</>;
  return (
    <img
      class={look}
      src={at}
      alt={alt}
      loading="lazy"
      decoding="async"
      onError={() => {
        setFailed(at);
        onLost?.();
      }}
    />
  );
}

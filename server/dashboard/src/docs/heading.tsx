// A part of a page, whose heading can be linked to.
import type {ComponentChildren} from 'preact';
import {useEffect, useState} from 'preact/hooks';
import {docs as words} from '../words';

const waiting: (() => void)[] = [];

function next() {
  waiting.shift()?.();
  if (waiting.length > 0) setTimeout(next);
}

/**
 * Whether it is one's turn to be shown: a long page comes a part at a time, so that its reader can
 * scroll and type meanwhile. Whoever comes for a part finds all of them in their places.
 */
function useTurn(): boolean {
  const [due, setDue] = useState(location.hash !== '');
  useEffect(() => {
    if (due) return;
    const come = () => setDue(true);
    if (waiting.push(come) === 1) setTimeout(next);
    return () => {
      const at = waiting.indexOf(come);
      if (at >= 0) waiting.splice(at, 1);
    };
  }, []);
  return due;
}

interface Props {
  id: string;
  title: string;
  children: ComponentChildren;
}

export function Part({id, title, children}: Props) {
  if (!useTurn()) return null;
  return (
    <section>
      <h2 id={id} class="linkable">
        {title}{' '}
        <a href={`#${id}`} class="anchor" aria-label={words.linkToPart(id)}>
          #
        </a>
      </h2>
      {children}
    </section>
  );
}

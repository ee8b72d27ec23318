// A row that scrolls sideways says at which of its ends there is more: parts.css fades it there.
import type {RefObject} from 'preact';
import {useLayoutEffect} from 'preact/hooks';

/** A row's ends lie between pixels. */
const tolerance_px = 1;

function endsWithMore(row: HTMLElement): string {
  const shown = row.getBoundingClientRect();
  const parts = [...row.children].map(part => part.getBoundingClientRect());
  const ends = [];
  if (parts.some(part => part.left < shown.left - tolerance_px)) ends.push('left');
  if (parts.some(part => part.right > shown.right + tolerance_px)) ends.push('right');
  return ends.join(' ');
}

/** Keeps `data-more` of the row, which has so many parts. */
export function useEnds(of: RefObject<HTMLElement>, parts: number): void {
  useLayoutEffect(() => {
    const row = of.current;
    if (row === null) return undefined;
    const say = () => {
      row.dataset['more'] = endsWithMore(row);
    };
    const observer = new ResizeObserver(say);
    for (const one of [row, ...row.children]) observer.observe(one);
    row.addEventListener('scroll', say, {passive: true});
    say();
    return () => {
      observer.disconnect();
      row.removeEventListener('scroll', say);
    };
  }, [parts]);
}

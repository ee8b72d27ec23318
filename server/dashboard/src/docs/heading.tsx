// A part of a page, whose heading can be linked to.
import type {ComponentChildren} from 'preact';
import {docs as words} from '../words';

interface Props {
  id: string;
  title: string;
  children: ComponentChildren;
}

export function Part({id, title, children}: Props) {
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

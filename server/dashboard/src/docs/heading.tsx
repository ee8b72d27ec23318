// A heading that can be linked to.
import type {ComponentChildren} from 'preact';

interface Props {
  id: string;
  level?: 2 | 3;
  children: ComponentChildren;
}

export function Heading({id, level = 2, children}: Props) {
  const Tag = `h${level}` as 'h2';
  return (
    <Tag id={id} class="linkable">
      {children}{' '}
      <a href={`#${id}`} class="anchor" aria-label={`Link to this part: ${id}`}>
        #
      </a>
    </Tag>
  );
}

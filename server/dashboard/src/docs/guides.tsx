// The guides: the list of them, and each as a page whose parts can be linked to.
import {useMemo} from 'preact/hooks';
import {Link} from '../app/router';
import {Page} from '../app/shell';
import {partsOf, slugOf, type Guide} from '../data/guides';
import {blocksOf, type Block} from '../data/markdown';
import {Code} from '../parts/controls';
import {Blocks} from '../parts/markdown';
import {Part} from './heading';
import {actions, docs as words} from '../words';

export function GuideList({guides}: {guides: readonly Guide[]}) {
  return (
    <ul class="bullets">
      {guides.map(one => (
        <li key={one.name}>
          <Link href={`/docs/guides/${one.name}`}>{one.title}</Link>: {one.about}
        </li>
      ))}
    </ul>
  );
}

/** Markdown whose blocks of code can be copied. */
function Prose({text, of}: {text: string; of: string}) {
  const runs = useMemo(() => {
    const found: (Block[] | string)[] = [];
    for (const one of blocksOf(text)) {
      const last = found[found.length - 1];
      if (one.kind === 'code') found.push(one.text);
      else if (Array.isArray(last)) last.push(one);
      else found.push([one]);
    }
    return found;
  }, [text]);
  return (
    <>
      {runs.map((one, i) =>
        typeof one === 'string' ? (
          <Code key={i} text={one} label={words.codeBlock(i + 1, of)} />
        ) : (
          <Blocks key={i} blocks={one} />
        ),
      )}
    </>
  );
}

export function GuidePage({guide}: {guide: Guide}) {
  const [opening, ...parts] = useMemo(() => partsOf(guide.text), [guide]);
  return (
    <Page
      title={guide.title}
      actions={
        <a class="button secondary" href={`/docs/guides/${guide.name}.md`}>
          {actions.readAsMarkdown}
        </a>
      }
    >
      {opening && <Prose text={opening.text} of={guide.title} />}
      {parts.map(part => (
        <Part key={part.title} id={slugOf(part.title)} title={part.title}>
          <Prose text={part.text} of={part.title} />
        </Part>
      ))}
    </Page>
  );
}

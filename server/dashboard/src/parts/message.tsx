// A message of the table that has code or links in it: `code` and [text](/path) are drawn as such.
// It takes only what src/words says; what others have written is shown by Prose and Markdown.
import type {ComponentChildren} from 'preact';
import {Link} from '../app/router';

const mark = /`([^`]+)`|\[([^\]]+)\]\((\/[^)\s]*)\)/g;

/** Files stand beside the application: it would look for a page at their address. */
const isFile = (path: string) => /\.\w+$/.test(path);

function link(text: string, path: string, key: number) {
  return isFile(path) ? (
    <a key={key} href={path}>
      {text}
    </a>
  ) : (
    <Link key={key} href={path}>
      {text}
    </Link>
  );
}

export function Message({text}: {text: string}) {
  const drawn: ComponentChildren[] = [];
  let at = 0;
  for (const found of text.matchAll(mark)) {
    const [whole, code, name, path] = found;
    drawn.push(text.slice(at, found.index));
    drawn.push(code ? <code key={at}>{code}</code> : link(name ?? '', path ?? '', at));
    at = found.index + whole.length;
  }
  return (
    <>
      {drawn}
      {text.slice(at)}
    </>
  );
}

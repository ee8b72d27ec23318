// The items of an answer as people read them. One shape serves every platform; what an object adds
// stands in a line of its own. Pictures come from this server, or are links.
import type {ComponentChildren} from 'preact';
import {useState} from 'preact/hooks';
import {countName, duration, number} from '../data/format';
import {labelOf} from '../data/form';
import {safeUrl} from '../data/markdown';
import {Code} from './controls';
import {Markdown} from './markdown';
import {Picture, usePictureOf} from './picture';
import {Time} from './time';
import {actions, answers as words, counted, fragments, terms} from '../words';

export interface Item {
  object: string;
  id: string;
  source?: string;
  url?: string | null;
  title?: string | null;
  text?: string | null;
  created_at?: string | null;
  author?: {
    handle: string | null;
    display_name: string | null;
    url: string | null;
    avatar_url?: string | null;
  };
  metrics?: Record<string, number | null>;
  media?: {type: string; url: string; preview_url?: string | null; alt: string | null}[];
  tags?: string[];
  [key: string]: unknown;
}

export function External({href, children}: {href: string; children: ComponentChildren}) {
  const url = safeUrl(href);
  if (url === '') return <>{children}</>;
  return (
    <a href={url} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}

export function Author({item}: {item: Item}) {
  const name = item.author?.display_name || item.author?.handle;
  if (!name) return null;
  const handle = item.author?.handle;
  return (
    <span class="item-author">
      <Picture class="avatar" url={item.author?.avatar_url} alt="" />
      {item.author?.url ? <External href={item.author.url}>{name}</External> : name}
      {handle && handle !== name && <span class="muted"> @{handle}</span>}
    </span>
  );
}

export function Metrics({metrics}: {metrics: Record<string, number | null>}) {
  const known = Object.entries(metrics).filter((one): one is [string, number] => one[1] !== null);
  if (known.length === 0) return null;
  return (
    <ul class="metrics">
      {known.map(([name, value]) => (
        <li key={name}>
          <b>{Number.isInteger(value) ? number(value) : value.toFixed(2)}</b>{' '}
          {countName(name, value)}
        </li>
      ))}
    </ul>
  );
}

type Medium = NonNullable<Item['media']>[number];

const isPicture = (one: Medium) => one.type === 'image' || one.type === 'gif';

function MediumRow({one}: {one: Medium}) {
  const hasPreview = usePictureOf(one.preview_url) !== null;
  const still = isPicture(one) && !hasPreview ? one.url : one.preview_url;
  const named = `${one.type}${one.alt ? `: ${one.alt}` : ''}`;
  const [isLost, setLost] = useState(false);
  const isDrawn = usePictureOf(still) !== null && !isLost;
  // A picture that is not drawn and that nobody has described has nothing to say.
  if (isPicture(one) && !isDrawn && !one.alt) return null;
  return (
    <li>
      <External href={one.url}>
        <Picture class="medium" url={still} alt={named} onLost={() => setLost(true)}>
          {named}
        </Picture>
      </External>
    </li>
  );
}

function Media({media}: {media: Medium[]}) {
  if (media.length === 0) return null;
  return (
    <ul class="item-media">
      {media.map((one, i) => (
        <MediumRow key={i} one={one} />
      ))}
    </ul>
  );
}

/** What stands at the side of an item: its own picture, or a user's. */
function sidePicture(item: Item): [unknown, string] | null {
  if (item.object === 'user') return [item['avatar_url'], 'avatar large'];
  if (item.object === 'document') return [item['image_url'], 'side-picture'];
  if (item.object === 'article') return [item.media?.find(isPicture)?.url, 'side-picture'];
  const still = item['thumbnail_url'] ?? item['image_url'];
  return still ? [still, 'side-picture'] : null;
}

export function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** What one object says beside the rest. */
export function extra(item: Item): string[] {
  const said: (string | null)[] = [];
  const count = (value: unknown) => (typeof value === 'number' ? value : null);
  switch (item.object) {
    case 'user':
      said.push(item['verified'] === true ? terms.verified : null);
      break;
    case 'video': {
      const length = count(item['duration_s']);
      said.push(length === null ? null : duration(length));
      break;
    }
    case 'forum_post':
      said.push(item['community'] === item.source ? null : text(item['community']));
      break;
    case 'web_result': {
      const engines = item['engines'];
      said.push(text(item['site_name']));
      const names = Array.isArray(engines)
        ? engines.map((one: {name: string; rank: number | null}) =>
            one.rank === null ? one.name : `${one.name} ${one.rank}.`,
          )
        : [];
      said.push(fragments.rank(count(item['rank'])), text(item['display_url']), ...names);
      break;
    }
    case 'article': {
      const site = item['site'] as {name: string | null; domain: string | null} | undefined;
      said.push(site?.name ?? site?.domain ?? null);
      break;
    }
    case 'document': {
      const length = count(item['word_count']);
      const tokens = count(item['token_estimate']);
      said.push(text(item['site_name']));
      said.push(length === null ? null : counted.words(length));
      said.push(tokens === null ? null : counted.tokens(tokens));
      break;
    }
    case 'transcript':
      said.push(text(item['lang']), item['generated'] === true ? fragments.generated : null);
      break;
    case 'site_address': {
      const changed = text(item['last_modified']);
      said.push(text(item['found_in']));
      said.push(changed === null ? null : fragments.lastChanged(changed.slice(0, 10)));
      break;
    }
  }
  if (item['sensitive'] === true) said.push(fragments.sensitive);
  return said.filter((one): one is string => one !== null);
}

interface Provenance {
  pointer: string;
  found_in: string;
  path: string;
}

/** The value that was asked for, and below it where each part of it comes from. */
function Extraction({item}: {item: Item}) {
  const provenance = (item['provenance'] ?? []) as Provenance[];
  const missing = (item['missing'] ?? []) as string[];
  return (
    <>
      <Code text={JSON.stringify(item['value'], null, 2)} label={words.value} />
      {missing.length > 0 && <p>{words.missing(missing)}</p>}
      <ul class="provenance" aria-label={words.valuePlaces}>
        {provenance.map(one => (
          <li key={one.pointer}>
            <code>{one.pointer || '/'}</code> {one.found_in}: {one.path}
          </li>
        ))}
      </ul>
    </>
  );
}

interface Segment {
  start_s: number;
  end_s: number;
  text: string;
}

/** What is said, each piece behind its moment. */
function Segments({segments}: {segments: Segment[]}) {
  return (
    <ol class="spoken" aria-label={words.transcript}>
      {segments.map((one, at) => (
        <li key={at}>
          <code>{duration(one.start_s)}</code> {one.text}
        </li>
      ))}
    </ol>
  );
}

export function ItemView({item}: {item: Item}) {
  const title = item.title || (item.object === 'user' ? text(item['display_name']) : null);
  const markdown = text(item['markdown']);
  const segments = (item['segments'] ?? []) as Segment[];
  const side = sidePicture(item);
  // What stands at the side is not there twice.
  const media = item.media?.filter(one => one.url !== side?.[0]);
  return (
    <article class={`item ${item.object}`} aria-label={`${labelOf(item.object)} ${item.id}`}>
      {side && <Picture class={side[1]} url={side[0]} alt="" />}
      <p class="item-head">
        <span class="badge">{labelOf(item.object)}</span>
        {item.source && <span class="badge quiet">{item.source}</span>}
        <Author item={item} />
        {item.created_at && <Time at={item.created_at} relative />}
        {extra(item).map(one => (
          <span key={one} class="muted">
            {one}
          </span>
        ))}
      </p>
      {title && (
        <h3 class="item-title">
          {item.url ? <External href={item.url}>{title}</External> : title}
        </h3>
      )}
      {markdown ? (
        <Markdown text={markdown} />
      ) : segments.length > 0 ? (
        <Segments segments={segments} />
      ) : (
        item.text && <p class="item-text">{item.text}</p>
      )}
      {item.object === 'comment' && !item.text && !media?.length && (
        <p class="muted">{words.removed}</p>
      )}
      {item.object === 'extraction' && <Extraction item={item} />}
      {media && <Media media={media} />}
      {item.metrics && <Metrics metrics={item.metrics} />}
      <p class="item-foot">
        <code>{item.id}</code>
        {item.url && !title && <External href={item.url}>{actions.openAtSource}</External>}
      </p>
    </article>
  );
}

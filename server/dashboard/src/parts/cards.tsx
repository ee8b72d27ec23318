// An answer's items laid out by what they are: videos and pictures as a grid, comments as a tree
// that folds, everything else one below the other.
import {duration} from '../data/format';
import {countBelow, treesOf, type Branch} from '../data/tree';
import {Author, External, ItemView, Metrics, text, type Item} from './items';
import {Picture} from './picture';
import {Time} from './time';
import {counted} from '../words';

/** Those that are looked at rather than read. */
const inGrid = new Set(['video', 'web_image']);

export function isGridOf(items: readonly Item[]): boolean {
  return items.length > 0 && items.every(item => inGrid.has(item.object));
}

function Tile({item}: {item: Item}) {
  const length = item['duration_s'];
  const title = item.title || item.text || item.id;
  const still = text(item['thumbnail_url']) ?? text(item['image_url']);
  return (
    <article class="item tile" aria-label={`${title} ${item.id}`}>
      <div class="still">
        <Picture class="still-picture" url={still} alt="">
          <span class="no-still" aria-hidden="true">
            {item.object === 'video' ? '▶' : '▦'}
          </span>
        </Picture>
        {typeof length === 'number' && <span class="still-length">{duration(length)}</span>}
      </div>
      <h3 class="item-title">{item.url ? <External href={item.url}>{title}</External> : title}</h3>
      <p class="item-head">
        <Author item={item} />
        <span class="badge quiet">{item.source}</span>
        {text(item['site_name']) && <span class="muted">{text(item['site_name'])}</span>}
        {item.created_at && <Time at={item.created_at} relative />}
      </p>
      {item.metrics && <Metrics metrics={item.metrics} />}
      <p class="item-foot">
        <code>{item.id}</code>
      </p>
    </article>
  );
}

function Thread({of}: {of: Branch<Item>}) {
  const below = countBelow(of);
  return (
    <li>
      <ItemView item={of.item} />
      {below > 0 && (
        <details class="answers" open>
          <summary>{counted.replies(below)}</summary>
          <ul class="thread">
            {of.answers.map(one => (
              <Thread key={one.item.id} of={one} />
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}

export function Cards({items, list}: {items: readonly Item[]; list?: boolean | undefined}) {
  if (!list && isGridOf(items)) {
    return (
      <div class="tiles">
        {items.map(item => (
          <Tile key={item.id} item={item} />
        ))}
      </div>
    );
  }
  if (!list && items.length > 0 && items.every(item => item.object === 'comment')) {
    return (
      <ul class="thread">
        {treesOf(items).map(one => (
          <Thread key={one.item.id} of={one} />
        ))}
      </ul>
    );
  }
  return (
    <div class="items">
      {items.map(item => (
        <ItemView key={item.id} item={item} />
      ))}
    </div>
  );
}

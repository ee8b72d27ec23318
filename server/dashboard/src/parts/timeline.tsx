// The map of sources over time: each item a mark in its source's row, which leads to the item.
import {timelineOf} from '../data/timeline';
import {External, type Item} from './items';
import {Empty} from './notice';
import {Time} from './time';
import {answers as words, counted} from '../words';

export function TimelineView({items}: {items: readonly Item[]}) {
  const timeline = timelineOf(items);
  if (timeline === null) return <Empty title={words.undated} />;
  return (
    <figure class="timeline">
      <ul class="timeline-rows">
        {timeline.rows.map((row, i) => (
          <li key={row.source}>
            <span class="timeline-source">
              {row.source} <span class="muted">{counted.items(row.dots.length)}</span>
            </span>
            <ul class="timeline-dots" aria-label={row.source}>
              {row.dots.map(dot => (
                <li
                  key={dot.id}
                  class={`dot series-${i % 6}`}
                  style={{
                    '--series': `var(--series-${i % 6})`,
                    '--place': `${(dot.place * 100).toFixed(1)}%`,
                  }}
                  title={dot.title}
                >
                  <External href={dot.url ?? ''}>
                    <span class="visually-hidden">
                      {dot.title}, <Time at={dot.at} />
                    </span>
                  </External>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      <figcaption>
        <Time at={timeline.from} />
        <span>{timeline.undated > 0 && words.withoutTime(timeline.undated)}</span>
        <Time at={timeline.to} />
      </figcaption>
    </figure>
  );
}

// Usage as stacked bars, drawn to the width there is. A table behind it says the same to whoever
// does not see it or wants the numbers.
import {useEffect, useRef, useState} from 'preact/hooks';
import {counted, credits, day, number} from '../data/format';
import {axisTop, type Stack, type UsageChart} from '../data/usage';
import {TableFrame} from './table';

const height = 220;
const margin = {top: 10, right: 22, bottom: 26, left: 44};
const gridLines = 4;

function useWidth() {
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(640);
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setWidth(Math.max(240, Math.round(entry.contentRect.width)));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return {frame, width};
}

/** Of one series, for the styles to paint with. */
function colour(i: number) {
  return {'--series': `var(--series-${i})`};
}

interface BarProps {
  stack: Stack;
  series: readonly string[];
  x: number;
  width: number;
  scale: number;
}

function Bar({stack, series, x, width, scale}: BarProps) {
  let y = height - margin.bottom;
  const title = [`${day(stack.day)}: ${credits(stack.total)}`]
    .concat(series.map((name, i) => `${name}: ${stack.parts[i] ?? 0}`))
    .join('\n');
  return (
    <g>
      <title>{title}</title>
      {stack.parts.map((part, i) => {
        const size = part * scale;
        y -= size;
        return part > 0 ? (
          <rect
            key={i}
            class={`series-${i}`}
            style={colour(i)}
            x={x}
            y={y}
            width={width}
            height={Math.max(1, size - (part * scale > 3 ? 1 : 0))}
          />
        ) : null;
      })}
      <rect class="bar-hit" x={x} y={margin.top} width={width} height={height - margin.bottom} />
    </g>
  );
}

function Drawing({chart, width, label}: {chart: UsageChart; width: number; label: string}) {
  const top = axisTop(chart.highest);
  const inner = width - margin.left - margin.right;
  const plot = height - margin.top - margin.bottom;
  const step = inner / Math.max(1, chart.stacks.length);
  const every = Math.max(1, Math.ceil(56 / step));
  const at = (value: number) => height - margin.bottom - (value / top) * plot;
  return (
    <svg role="img" aria-label={label} width={width} height={height}>
      {Array.from({length: gridLines + 1}, (_, i) => (i * top) / gridLines).map(value => (
        <g key={value} class="grid">
          <line x1={margin.left} x2={width - margin.right} y1={at(value)} y2={at(value)} />
          <text x={margin.left - 8} y={at(value) + 4} text-anchor="end">
            {number(value)}
          </text>
        </g>
      ))}
      {chart.stacks.map((stack, i) => (
        <Bar
          key={stack.day}
          stack={stack}
          series={chart.series}
          x={margin.left + i * step + step * 0.14}
          width={Math.max(1, step * 0.72)}
          scale={plot / top}
        />
      ))}
      {chart.stacks.map((stack, i) =>
        (chart.stacks.length - 1 - i) % every === 0 ? (
          <text
            key={stack.day}
            class="tick"
            x={margin.left + (i + 0.5) * step}
            y={height - 8}
            text-anchor="middle"
          >
            {day(stack.day)}
          </text>
        ) : null,
      )}
    </svg>
  );
}

export function Chart({chart}: {chart: UsageChart}) {
  const {frame, width} = useWidth();
  const label =
    `Credits a day: ${credits(chart.total)} in ${counted(chart.calls, 'call')} over ` +
    `${counted(chart.stacks.length, 'day')}. The table below has the numbers.`;
  return (
    <figure class="chart">
      <div ref={frame} class="chart-frame">
        <Drawing chart={chart} width={width} label={label} />
      </div>
      <ul class="legend">
        {chart.series.map((name, i) => (
          <li key={name}>
            <span class={`swatch series-${i}`} style={colour(i)} aria-hidden="true" />
            {name}
          </li>
        ))}
      </ul>
      <details>
        <summary>Show as a table</summary>
        <TableFrame label="Credits by day and endpoint">
          <table>
            <caption class="visually-hidden">Credits by day and endpoint</caption>
            <thead>
              <tr>
                <th scope="col">Day</th>
                {chart.series.map(name => (
                  <th key={name} scope="col" class="numeric">
                    {name}
                  </th>
                ))}
                <th scope="col" class="numeric">
                  All
                </th>
              </tr>
            </thead>
            <tbody>
              {[...chart.stacks].reverse().map(stack => (
                <tr key={stack.day}>
                  <th scope="row">{day(stack.day)}</th>
                  {stack.parts.map((part, i) => (
                    <td key={chart.series[i]} class="numeric">
                      {number(part)}
                    </td>
                  ))}
                  <td class="numeric">{number(stack.total)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableFrame>
      </details>
    </figure>
  );
}

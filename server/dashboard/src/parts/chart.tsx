// Usage as stacked bars, drawn to the width there is. What a bar stands for is told to the mouse,
// the finger and the arrow keys; a table behind it has all numbers.
import {useEffect, useRef, useState} from 'preact/hooks';
import {day, number} from '../data/format';
import {axisTop, type Stack, type UsageChart} from '../data/usage';
import {TableFrame} from './table';
import {actions, chart as words, counted, terms} from '../words';

const height = 220;
const margin = {top: 24, right: 22, bottom: 26, left: 44};
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
  x: number;
  width: number;
  scale: number;
  active: boolean;
}

function Bar({stack, x, width, scale, active}: BarProps) {
  let y = height - margin.bottom;
  return (
    <g class={active ? 'bar active' : 'bar'}>
      <rect
        class="bar-ground"
        x={x}
        y={margin.top}
        width={width}
        height={height - margin.bottom - margin.top}
      />
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
    </g>
  );
}

interface DrawingProps {
  chart: UsageChart;
  width: number;
  label: string;
  unit: string;
  active: number | null;
}

function Drawing({chart, width, label, unit, active}: DrawingProps) {
  const top = axisTop(chart.highest);
  const inner = width - margin.left - margin.right;
  const plot = height - margin.top - margin.bottom;
  const step = inner / Math.max(1, chart.stacks.length);
  const every = Math.max(1, Math.ceil(56 / step));
  const at = (value: number) => height - margin.bottom - (value / top) * plot;
  return (
    <svg role="img" aria-label={label} width={width} height={height}>
      <text class="unit" x={0} y={11}>
        {unit}
      </text>
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
          active={i === active}
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

/** Which bar is looked at: by a pointer over it, or by the arrow keys. */
function useActive(bars: number, width: number) {
  const [active, setActive] = useState<number | null>(null);
  const step = (width - margin.left - margin.right) / Math.max(1, bars);
  const onPointer = (event: PointerEvent) => {
    const {left} = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const at = Math.floor((event.clientX - left - margin.left) / step);
    setActive(at >= 0 && at < bars ? at : null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const from = active ?? bars;
    const to = {
      ArrowLeft: Math.max(0, from - 1),
      ArrowRight: Math.min(bars - 1, (active ?? -1) + 1),
      Home: 0,
      End: bars - 1,
      Escape: null,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    setActive(to);
  };
  const place = active === null ? 0 : margin.left + (active + 0.5) * step;
  return {
    active: active !== null && active < bars ? active : null,
    place,
    onPointer,
    onKeyDown,
    leave: () => setActive(null),
  };
}

function Told({stack, series, say}: {stack: Stack; series: readonly string[]; say: Say}) {
  const parts = series
    .map((name, i) => ({name, i, part: stack.parts[i] ?? 0}))
    .filter(one => one.part > 0);
  return (
    <>
      <strong>{day(stack.day)}</strong> {say(stack.total)}
      {parts.map(({name, i, part}) => (
        <span key={name} class="told-part">
          <span class={`swatch series-${i}`} style={colour(i)} aria-hidden="true" />
          {name}: {number(part)}
        </span>
      ))}
    </>
  );
}

type Say = (value: number) => string;

interface ChartProps {
  chart: UsageChart;
  /** What the bars count: "credits". */
  unit: string;
  /** A number of them in words. */
  say?: Say;
}

export function Chart({chart, unit, say = counted.credits}: ChartProps) {
  const {frame, width} = useWidth();
  const look = useActive(chart.stacks.length, width);
  const stack = look.active === null ? null : chart.stacks[look.active];
  const title = unit.charAt(0).toUpperCase() + unit.slice(1);
  const label = words.summary(title, say(chart.total), chart.stacks.length);
  return (
    <figure class="chart">
      <div
        ref={frame}
        class="chart-frame"
        role="group"
        tabIndex={0}
        aria-label={words.name(title)}
        onPointerMove={look.onPointer}
        onPointerDown={look.onPointer}
        onPointerLeave={look.leave}
        onKeyDown={look.onKeyDown}
        onBlur={look.leave}
      >
        <Drawing chart={chart} width={width} label={label} unit={unit} active={look.active} />
        <p
          class={look.place > width / 2 ? 'told at-end' : 'told'}
          role="status"
          hidden={!stack}
          style={{'--place': `${look.place}px`}}
        >
          {stack && <Told stack={stack} series={chart.series} say={say} />}
        </p>
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
        <summary>{actions.showTable}</summary>
        <TableFrame label={words.table(title)}>
          <table>
            <caption class="visually-hidden">{words.table(title)}</caption>
            <thead>
              <tr>
                <th scope="col">{terms.day}</th>
                {chart.series.map(name => (
                  <th key={name} scope="col" class="numeric">
                    {name}
                  </th>
                ))}
                <th scope="col" class="numeric">
                  {terms.all}
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

// What an account has used, as a chart: how far back, credits or calls, by endpoint, key or source.
// Whose account it is, the page says.
import type {ComponentChildren} from 'preact';
import type {RequestRow, UsageRow} from '../api/types';
import {useLoaded} from '../app/loading';
import {useRouter} from '../app/router';
import {timeZone} from '../data/format';
import {changedQuery} from '../data/requests';
import {chartOf, failedRows, type Measure, type Split, type UsageChart} from '../data/usage';
import {Chart} from './chart';
import {Empty, LoadedView} from './notice';
import {chart as words, counted, terms} from '../words';

const spans = ['7d', '30d', '90d'] as const;
const splits: [Split, string][] = [
  ['endpoint', terms.endpoint],
  ['key', terms.key],
];
/** What a charged call has, and what one that failed. */
const ofCharged: [Split, string] = ['source', terms.source];
const ofFailed: [Split, string] = ['code', terms.code];
const measures: [Measure, string][] = [
  ['credits', terms.credits],
  ['calls', terms.calls],
  ['errors', terms.errors],
];

interface SegmentsProps<T extends string> {
  label: string;
  choices: readonly (readonly [T, string])[];
  chosen: T;
  choose(one: T): void;
}

function Segments<T extends string>({label, choices, chosen, choose}: SegmentsProps<T>) {
  return (
    <div class="segments" role="group" aria-label={label}>
      {choices.map(([value, name]) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === chosen}
          onClick={() => choose(value)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}

interface NamedKey {
  id: string;
  name: string | null;
  last_four: string;
}

/** What is chosen stands in the address, so that it is there after a reload and in a link. */
function useChoice<T extends string>(name: string, choices: readonly T[], usual: T) {
  const {path, query, go} = useRouter();
  const chosen = choices.find(one => one === query.get(name)) ?? usual;
  const choose = (one: T, more: Record<string, string> = {}) =>
    go(path + changedQuery(query, {[name]: one === usual ? '' : one, ...more}), true);
  return [chosen, choose] as const;
}

/** Keys by what their owner calls them. */
export function namesOf(keys: readonly NamedKey[]): Map<string, string> {
  return new Map(keys.map(key => [key.id, key.name ?? `…${key.last_four}`]));
}

function named(chart: UsageChart, names: Map<string, string>): UsageChart {
  return {...chart, series: chart.series.map(one => names.get(one) ?? one)};
}

interface UsageReportProps {
  title: string;
  /** All rows for the parameters of account/usage, and what they are by. */
  read(asked: object, by: Split): Promise<UsageRow[]>;
  /** The calls that failed, where they can be told. */
  failed?(since: string): Promise<RequestRow[]>;
  keyNames(): Promise<Map<string, string>>;
  /** What to do where nothing was used. */
  children?: ComponentChildren;
}

export function UsageReport({title, read, failed, keyNames, children}: UsageReportProps) {
  const [since, setSince] = useChoice('span', spans, '30d');
  const shown = failed ? measures : measures.slice(0, 2);
  const [measure, setMeasure] = useChoice('measure', shown.map(([one]) => one), 'credits');
  const ofErrors = measure === 'errors';
  const groups = [...splits, ofErrors ? ofFailed : ofCharged];
  const [by, setBy] = useChoice('by', groups.map(([one]) => one), 'endpoint');
  const choose = (one: Measure) => {
    const other = one === 'errors' ? ofFailed : ofCharged;
    setMeasure(one, splits.some(([split]) => split === by) ? {} : {by: other[0]});
  };
  const usage = useLoaded(async () => {
    const asked = {since, group_by: `day,${by}`, time_zone: timeZone(), empty_days: true, top: 6};
    const rows =
      ofErrors && failed ? failedRows(await failed(since), parseInt(since)) : await read(asked, by);
    return {rows, by, names: by === 'key' ? await keyNames() : new Map<string, string>()};
  }, [since, by, ofErrors]);
  const say = ofErrors
    ? counted.errors
    : measure === 'credits'
      ? counted.credits
      : counted.calls;
  return (
    <>
      <div class="card-head">
        <h2>{title}</h2>
        <div class="choices">
          <Segments
            label={words.span}
            choices={spans.map(span => [span, counted.days(Number(span.slice(0, -1)))] as const)}
            chosen={since}
            choose={one => setSince(one)}
          />
          <Segments
            label={words.measure}
            choices={shown}
            chosen={measure}
            choose={choose}
          />
          <Segments
            label={words.split}
            choices={groups}
            chosen={by}
            choose={one => setBy(one)}
          />
        </div>
      </div>
      <LoadedView of={usage} what={terms.usage}>
        {known => {
          const chart = named(chartOf(known.rows, {by: known.by, measure}), known.names);
          return chart.calls === 0 ? (
            <Empty title={ofErrors ? words.noErrors : words.empty}>{!ofErrors && children}</Empty>
          ) : (
            <>
              <p class="help" aria-live="polite">
                {words.spent(
                  say(chart.total),
                  measure === 'credits' ? chart.calls : null,
                  timeZone(),
                )}
              </p>
              <Chart chart={chart} unit={measure} say={say} />
            </>
          );
        }}
      </LoadedView>
    </>
  );
}

// JSON that folds. What is folded is not in the page, so that a large answer costs little; copying
// gives all of it.
import {useState} from 'preact/hooks';
import {CopyButton} from './controls';
import {fragments} from '../words';

const openDepth = 2;
/** Of a list so many are shown until one asks for the rest. */
const listStep = 50;

function Leaf({value}: {value: unknown}) {
  const kind = value === null ? 'null' : typeof value;
  return <span class={`json-${kind}`}>{JSON.stringify(value)}</span>;
}

interface NodeProps {
  name: string | null;
  value: unknown;
  depth: number;
}

function Name({name}: {name: string | null}) {
  return name === null ? null : <span class="json-name">{JSON.stringify(name)}: </span>;
}

function Node({name, value, depth}: NodeProps) {
  const [open, setOpen] = useState(depth < openDepth);
  const [most, setMost] = useState(listStep);
  if (typeof value !== 'object' || value === null) {
    return (
      <li>
        <Name name={name} />
        <Leaf value={value} />
      </li>
    );
  }
  const isList = Array.isArray(value);
  const entries: [string | null, unknown][] = isList
    ? value.map(one => [null, one])
    : Object.entries(value);
  const [from, to] = isList ? '[]' : '{}';
  if (entries.length === 0) {
    return (
      <li>
        <Name name={name} />
        {from}
        {to}
      </li>
    );
  }
  return (
    <li>
      <details open={open} onToggle={event => setOpen(event.currentTarget.open)}>
        <summary>
          <Name name={name} />
          {from}
          {!open && (
            <>
              …{to} <span class="muted">{fragments.folded(entries.length, isList)}</span>
            </>
          )}
        </summary>
        {open && (
          <ul>
            {entries.slice(0, most).map(([key, one], i) => (
              <Node key={key ?? i} name={key} value={one} depth={depth + 1} />
            ))}
            {entries.length > most && (
              <li>
                <button type="button" class="plain" onClick={() => setMost(most + listStep * 4)}>
                  {fragments.moreValues(entries.length - most)}
                </button>
              </li>
            )}
          </ul>
        )}
        {open && to}
      </details>
    </li>
  );
}

export function Json({value, label}: {value: unknown; label: string}) {
  return (
    <div class="code json" role="region" aria-label={label} tabIndex={0}>
      <ul>
        <Node name={null} value={value} depth={0} />
      </ul>
      <CopyButton text={JSON.stringify(value, null, 2)} what={label} />
    </div>
  );
}

// Labelled fields. Help and error are tied to the input, so that a screen reader says both.
import type {ComponentChildren, JSX} from 'preact';
import {useId} from 'preact/hooks';
import {terms} from '../words';

type Base = {
  label: ComponentChildren;
  value: string;
  onValue(value: string): void;
  help?: ComponentChildren;
  error?: string | undefined;
  optional?: boolean | undefined;
};

type FrameProps = Omit<Base, 'value' | 'onValue'> & {
  id: string;
  /** Whether it has several inputs, which then are a group. */
  group?: boolean;
  children: ComponentChildren;
};

function describedBy(id: string, help: unknown, error: unknown): string | undefined {
  const ids = [help ? `${id}-help` : '', error ? `${id}-error` : ''].filter(Boolean);
  return ids.length ? ids.join(' ') : undefined;
}

/** What ties the input `id` to its help and its error. */
function tied(id: string, help: unknown, error: unknown) {
  return {
    id,
    'aria-invalid': error ? (true as const) : undefined,
    'aria-describedby': describedBy(id, help, error),
  };
}

function Frame({id, label, help, error, optional, group, children}: FrameProps) {
  const [Tag, Name] = (group ? ['fieldset', 'legend'] : ['div', 'label']) as ['div', 'label'];
  return (
    <Tag
      class={error ? 'field wrong' : 'field'}
      aria-describedby={group ? describedBy(id, help, error) : undefined}
    >
      <Name for={group ? undefined : id}>
        {label}
        {optional && <span class="optional">{terms.optional}</span>}
      </Name>
      {children}
      {help && (
        <p class="help" id={`${id}-help`}>
          {help}
        </p>
      )}
      {error && (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </Tag>
  );
}

type TextProps = Base & Omit<JSX.InputHTMLAttributes<HTMLInputElement>, 'value' | 'label'>;

export function TextField({label, value, onValue, help, error, optional, ...rest}: TextProps) {
  const id = useId();
  return (
    <Frame {...{id, label, help, error, optional}}>
      <input
        {...tied(id, help, error)}
        type="text"
        value={value}
        onInput={event => onValue(event.currentTarget.value)}
        {...rest}
      />
    </Frame>
  );
}

type SelectProps = Base & {choices: readonly (string | [string, string])[]};

export function SelectField(props: SelectProps) {
  const {value, onValue, help, error, choices} = props;
  const id = useId();
  return (
    <Frame id={id} {...props}>
      <select
        {...tied(id, help, error)}
        value={value}
        onChange={event => onValue(event.currentTarget.value)}
      >
        {choices.map(choice => {
          const [key, text] = Array.isArray(choice) ? choice : [choice, choice];
          return (
            <option key={key} value={key}>
              {text}
            </option>
          );
        })}
      </select>
    </Frame>
  );
}

type ChecksProps = Omit<Base, 'value'> & {choices: readonly string[]; chosen: readonly string[]};

/** Several of a few values: boxes in a group. */
export function ChecksField(props: ChecksProps) {
  const {chosen, onValue, choices} = props;
  return (
    <Frame id={useId()} group {...props}>
      <div class="checks">
        {choices.map(choice => (
          <label key={choice} class="check">
            <input
              type="checkbox"
              checked={chosen.includes(choice)}
              onChange={event => {
                const on = event.currentTarget.checked;
                const next = choices.filter(one => (one === choice ? on : chosen.includes(one)));
                onValue(next.join(', '));
              }}
            />
            {choice}
          </label>
        ))}
      </div>
    </Frame>
  );
}

interface SwitchProps {
  label: string;
  on: boolean;
  onChange(on: boolean): void;
  help: string;
}

export function Switch({label, on, onChange, help}: SwitchProps) {
  const id = useId();
  return (
    <div class="switch-row">
      <label class="switch">
        <input
          type="checkbox"
          role="switch"
          checked={on}
          aria-describedby={id}
          onChange={event => onChange(event.currentTarget.checked)}
        />
        <span class="track" aria-hidden="true" />
        {label}
      </label>
      <p class="help" id={id}>
        {help}
      </p>
    </div>
  );
}

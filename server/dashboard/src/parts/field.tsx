// Labelled fields. Help and error are tied to the input, so that a screen reader says both.
import type {ComponentChildren, JSX} from 'preact';
import {useId} from 'preact/hooks';

interface FrameProps {
  id: string;
  label: ComponentChildren;
  help?: ComponentChildren;
  error?: string | undefined;
  optional?: boolean | undefined;
  children: ComponentChildren;
}

function describedBy(id: string, help: unknown, error: unknown): string | undefined {
  const ids = [help ? `${id}-help` : '', error ? `${id}-error` : ''].filter(Boolean);
  return ids.length ? ids.join(' ') : undefined;
}

function Frame({id, label, help, error, optional, children}: FrameProps) {
  return (
    <div class={error ? 'field wrong' : 'field'}>
      <label for={id}>
        {label}
        {optional && <span class="optional">optional</span>}
      </label>
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
    </div>
  );
}

type Base = {
  label: ComponentChildren;
  value: string;
  onValue(value: string): void;
  help?: ComponentChildren;
  error?: string | undefined;
  optional?: boolean | undefined;
};

type TextProps = Base & Omit<JSX.InputHTMLAttributes<HTMLInputElement>, 'value' | 'label'>;

export function TextField({label, value, onValue, help, error, optional, ...rest}: TextProps) {
  const id = useId();
  return (
    <Frame {...{id, label, help, error, optional}}>
      <input
        id={id}
        type="text"
        value={value}
        onInput={event => onValue(event.currentTarget.value)}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(id, help, error)}
        {...rest}
      />
    </Frame>
  );
}

type SelectProps = Base & {choices: readonly (string | [string, string])[]; disabled?: boolean};

export function SelectField(props: SelectProps) {
  const {label, value, onValue, help, error, optional, choices, disabled} = props;
  const id = useId();
  return (
    <Frame {...{id, label, help, error, optional}}>
      <select
        id={id}
        value={value}
        disabled={!!disabled}
        onChange={event => onValue(event.currentTarget.value)}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(id, help, error)}
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

type ChecksProps = Base & {choices: readonly string[]; chosen: readonly string[]};

/** Several of a few values: boxes in a group. */
export function ChecksField(props: Omit<ChecksProps, 'value'>) {
  const {label, chosen, onValue, help, error, optional, choices} = props;
  const id = useId();
  return (
    <fieldset
      class={error ? 'field wrong' : 'field'}
      aria-describedby={describedBy(id, help, error)}
    >
      <legend>
        {label}
        {optional && <span class="optional">optional</span>}
      </legend>
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
    </fieldset>
  );
}

interface SwitchProps {
  label: string;
  on: boolean;
  onChange(on: boolean): void;
  help?: string;
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
          aria-describedby={help ? id : undefined}
          onChange={event => onChange(event.currentTarget.checked)}
        />
        <span class="track" aria-hidden="true" />
        {label}
      </label>
      {help && (
        <p class="help" id={id}>
          {help}
        </p>
      )}
    </div>
  );
}

// A form's life: what was typed stays, whatever happens; a problem is shown at its field or above
// the form, and the first wrong field gets the focus.
import type {ComponentChildren} from 'preact';
import {useEffect, useRef, useState} from 'preact/hooks';
import {problemOf, type Problem} from '../api/http';
import {fieldOfPointer} from '../data/form';
import {ProblemNotice} from './notice';

export interface FormState<V extends Record<string, string>> {
  values: V;
  problem: Problem | null;
  busy: boolean;
  set(name: keyof V & string, value: string): void;
  setValues(values: V): void;
  setProblem(problem: Problem | null): void;
  /** The error of a field, if the last answer named it. */
  error(name: string): string | undefined;
  /** Sends; a failure becomes `problem`. */
  run(act: (values: V) => Promise<void>): Promise<void>;
  /** What a field needs, but for its label. */
  bind(name: keyof V & string): {
    value: string;
    name: string;
    onValue(value: string): void;
    error: string | undefined;
  };
}

export function useForm<V extends Record<string, string>>(initial: V): FormState<V> {
  const [values, setValues] = useState(initial);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  const set = (name: keyof V & string, value: string) =>
    setValues(before => ({...before, [name]: value}));
  const error = (name: string) =>
    problem?.errors?.find(one => fieldOfPointer(one.pointer) === name)?.detail;
  return {
    values,
    problem,
    busy,
    set,
    setValues,
    setProblem,
    error,
    async run(act) {
      setBusy(true);
      setProblem(null);
      try {
        await act(values);
      } catch (failure) {
        setProblem(problemOf(failure));
      } finally {
        setBusy(false);
      }
    },
    bind: name => ({
      value: values[name] ?? '',
      name,
      onValue: value => set(name, value),
      error: error(name),
    }),
  };
}

interface FormProps {
  onSubmit(): void;
  problem: Problem | null;
  /** The names of the fields that the form has. */
  fields: readonly string[];
  label: string;
  children: ComponentChildren;
  class?: string;
}

export function Form({onSubmit, problem, fields, label, children, ...rest}: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const named = (problem?.errors ?? [])
    .map(one => one.pointer)
    .filter(pointer => fields.includes(fieldOfPointer(pointer)));
  useEffect(() => {
    if (problem === null) return;
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problem]);
  const allShown = problem !== null && named.length > 0 && named.length === problem.errors?.length;
  return (
    <form
      ref={form}
      noValidate
      aria-label={label}
      onSubmit={event => {
        event.preventDefault();
        onSubmit();
      }}
      {...rest}
    >
      {!allShown && <ProblemNotice problem={problem} shownAt={named} />}
      {children}
    </form>
  );
}

// State of a form: its values, which problems it shows, and the risk that the user must read before a press counts.
import { useEffect, useState } from 'react';

/** Something that a press would do, about which the user is asked first. */
export interface Risk {
  /** Another text is another risk. */
  readonly what: string;
  /** Its size in basis points. */
  readonly bps: number;
}

interface Press {
  /** Whether a field has a problem. */
  readonly isWrong?: boolean;
  readonly risk: Risk | undefined;
  readonly run: () => Promise<unknown>;
}

export interface FormStore<Values> {
  readonly values: Values;
  readonly set: (change: Partial<Values> | ((before: Values) => Partial<Values>)) => void;
  /** Whether the user has begun to use it. */
  readonly touched: boolean;
  /** How many presses were refused for a problem. Empty fields have a problem from the first one on. */
  readonly refused: number;
  /** Whether the next press accepts the risk. */
  readonly isAsked: (risk: Risk | undefined) => boolean;
  /** Whether a press counts: nothing runs, and the user had time to read the risk. */
  readonly isReady: (risk: Risk | undefined) => boolean;
  readonly press: (press: Press) => void;
  /** Properties of the form's element. */
  readonly element: object;
}

/** The second click of a double click must not accept what nobody has read. */
const READ_MS = 1_000;
/** An acceptance holds until the risk is a fifth larger. */
const GROWN = 1.2;

/** @param keep stores the values, for a reload */
export function useFormStore<Values extends object>(
  initial: () => Values,
  keep: (values: Values) => void,
): FormStore<Values> {
  const [values, setValues] = useState(initial);
  const [touched, setTouched] = useState(false);
  const [refused, setRefused] = useState(0);
  const [busy, setBusy] = useState(false);
  const [asked, ask] = useState<Risk>();
  const [read, setRead] = useState<Risk>();
  useEffect(() => keep(values), [values]);
  useEffect(() => {
    const timer = setTimeout(() => setRead(asked), READ_MS);
    return () => clearTimeout(timer);
  }, [asked]);
  const isAsked = (risk: Risk | undefined) =>
    risk !== undefined && risk.what === asked?.what && risk.bps <= asked.bps * GROWN;
  const isReady = (risk: Risk | undefined) => !busy && (!isAsked(risk) || read === asked);
  const press = ({ isWrong = false, risk, run }: Press) => {
    if (!isReady(risk)) return;
    if (isWrong) return setRefused((before) => before + 1);
    if (risk !== undefined && !isAsked(risk)) return ask(risk);
    ask(undefined);
    setBusy(true);
    void run().finally(() => setBusy(false));
  };
  return {
    values,
    set: (change) =>
      setValues((before) => ({ ...before, ...(typeof change === 'function' ? change(before) : change) })),
    touched,
    refused,
    isAsked,
    isReady,
    press,
    element: {
      noValidate: true,
      onFocus: () => setTouched(true),
      onSubmit: (event: Event) => event.preventDefault(),
    },
  };
}

import { useId } from 'react';
import { launchWords } from '../words/launch.js';
import { bytesOf } from './words-of-form.js';

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly problem: string | undefined;
  /** Maximum bytes. When given, the field shows the number of bytes. */
  readonly most?: number;
  readonly hint?: string;
  readonly lines?: boolean;
  readonly placeholder?: string;
  readonly numeric?: boolean;
  readonly onBlur?: () => void;
}

export function TextField(props: TextFieldProps) {
  const { label, value, onChange, problem, most, hint, lines = false, placeholder, numeric = false } = props;
  const id = useId();
  const common = {
    id,
    value,
    placeholder,
    onBlur: props.onBlur,
    'aria-invalid': problem !== undefined,
    'aria-describedby': `${id}-about`,
    autoComplete: 'off',
  } as const;
  return (
    <div className="field">
      <div className="label">
        <label htmlFor={id}>{label}</label>
        {most !== undefined && (
          <span className={bytesOf(value) > most ? 'down' : 'muted'}>
            {launchWords.bytes(bytesOf(value), most)}
          </span>
        )}
      </div>
      {lines ? (
        <textarea {...common} onChange={(event) => onChange(event.target.value)} />
      ) : (
        <input
          {...common}
          {...(numeric ? { inputMode: 'decimal' as const } : {})}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
      <p id={`${id}-about`} className={problem === undefined ? 'hint' : 'problem'}>
        {problem ?? hint}
      </p>
    </div>
  );
}

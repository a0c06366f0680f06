import { Fragment, type ReactNode } from 'react';

interface FilledProps {
  readonly text: string;
  /** What stands in place of `{name}`. */
  readonly of: Readonly<Record<string, ReactNode>>;
}

/** A text with elements in it, in the order of its language. */
export const Filled = ({ text, of }: FilledProps) =>
  text
    .split(/\{(\w+)\}/)
    .map((piece, index) => (index % 2 === 0 ? piece : <Fragment key={piece}>{of[piece]}</Fragment>));

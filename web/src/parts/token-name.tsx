import { displayText } from '../format.js';

interface TokenNameProps {
  readonly name: string;
  readonly symbol: string;
}

/** What people wrote: each keeps its own direction. */
export function TokenName({ name, symbol }: TokenNameProps) {
  return (
    <>
      <b>
        <bdi>{displayText(name)}</bdi>
      </b>{' '}
      <span className="muted symbol">
        <bdi>{displayText(symbol)}</bdi>
      </span>
    </>
  );
}

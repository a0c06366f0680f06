import { words } from '../words/words.js';

/** Shows whether the page receives live updates. */
export function Live({ open }: { readonly open: boolean | undefined }) {
  return (
    <span className={open === false ? 'live away' : 'live'} role="status" hidden={open === undefined}>
      <i aria-hidden="true" />
      {open === false ? words.reconnecting : words.live}
    </span>
  );
}

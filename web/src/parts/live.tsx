import { secondsBehind, type Liveness } from '../market/stream.js';
import { words } from '../words/words.js';

/** Shows whether the page receives live updates. Nothing before the page has data. */
export function Live({ of: liveness }: { readonly of: Liveness | undefined }) {
  const text = { live: words.live, late: words.late(secondsBehind()), away: words.reconnecting };
  return (
    <span
      className={liveness === 'live' ? 'live' : 'live away'}
      role="status"
      hidden={liveness === undefined}
      title={liveness === 'late' ? words.lateHint : undefined}
    >
      <i aria-hidden="true" />
      {text[liveness ?? 'live']}
    </span>
  );
}

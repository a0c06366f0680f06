import { openConnect } from '../wallet/store.js';
import { words } from '../words/words.js';

export function ConnectAction() {
  return (
    <button type="button" className="btn primary big" onClick={openConnect}>
      {words.trade.connect}
    </button>
  );
}

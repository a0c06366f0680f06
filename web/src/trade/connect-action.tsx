import { useState } from 'react';
import { ConnectDialog } from '../wallet/lazy-connect-dialog.js';
import { words } from '../words/words.js';

export function ConnectAction() {
  const [connecting, setConnecting] = useState(false);
  return (
    <>
      <button type="button" className="btn primary big" onClick={() => setConnecting(true)}>
        {words.trade.connect}
      </button>
      {connecting && <ConnectDialog onClose={() => setConnecting(false)} />}
    </>
  );
}

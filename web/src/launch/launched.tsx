// The card of a token that was just launched: what a shared link shows, and ways to share it.
import { useReducer, useState } from 'react';
import { displayText } from '../format.js';
import type { TokenDetail } from '../market/types.js';
import { CopyLink } from '../parts/address.js';
import { words } from '../words/words.js';
import { launchWords as copy } from '../words/launch.js';
import { isJustLaunched, noteLaunched } from './just-launched.js';
import { QrCode } from './qr-code.js';

export default function Launched({ token: { mint, name, symbol } }: { readonly token: TokenDetail }) {
  const [, render] = useReducer((count: number) => count + 1, 0);
  const [showsCode, setShowsCode] = useState(false);
  if (!isJustLaunched(mint)) return null;
  const url = `${location.origin}/t/${mint}`;
  const text = copy.postText(displayText(name), displayText(symbol));
  const close = () => {
    noteLaunched(undefined);
    render();
  };
  return (
    <section className="card launched" aria-label={copy.launched(displayText(name))}>
      <img src={`/og/${mint}.png`} alt={copy.sharePicture} width="1200" height="630" />
      <div>
        <h2>{copy.launched(displayText(name))}</h2>
        <div className="actions">
          <CopyLink url={url} title={copy.copyLink} className="btn primary" />
          <a
            className="btn quiet"
            href={`https://x.com/intent/post?${new URLSearchParams({ text, url }).toString()}`}
            target="_blank"
            rel="noreferrer noopener"
          >
            {copy.post} ↗
          </a>
          <button
            type="button"
            className="btn quiet"
            aria-expanded={showsCode}
            onClick={() => setShowsCode(!showsCode)}
          >
            {copy.qr}
          </button>
        </div>
        {showsCode && <QrCode text={url} />}
      </div>
      <button type="button" className="icon-btn" aria-label={words.close} onClick={close}>
        ✕
      </button>
    </section>
  );
}

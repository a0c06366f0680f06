import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { useMedia } from '../media.js';
import { part } from '../part.js';
import { go, useQuery, withParameter } from '../router.js';
import { displayText } from '../format.js';
import { words } from '../words/words.js';
import { parseAmount, SOL_DECIMALS } from './amount-text.js';
import { type BoxProps, TradeBox } from './box.js';
import type { Side } from './quote.js';
import { turnedTo, useTradeForm } from './use-form.js';

const Dialog = part(() => import('../parts/dialog.js'));

/** The trade box next to the chart. On a phone, Buy and Sell buttons at the bottom open it as a sheet. */
export function TradePane({ token, ...rest }: Omit<BoxProps, 'form'>) {
  const query = useQuery();
  const asked = query.get('buy');
  const side = query.has('sell') ? 'sell' : 'buy';
  const isAsked = asked !== null || side === 'sell';
  const isAmount = asked !== null && parseAmount(asked, SOL_DECIMALS) !== undefined;
  const form = useTradeForm(side, isAmount ? asked : '');
  const isPhone = useMedia(PHONE);
  const [open, setOpen] = useState(isAsked);
  useEffect(() => {
    // Remove the parameter, so that a reload starts with an empty form.
    if (isAsked) go(withParameter(side), { replace: true });
  }, [isAsked, side]);
  const box = <TradeBox token={token} form={form} {...rest} />;
  // Before the header's links, so that a keyboard reaches the box at once.
  const skips = document.getElementById('skips');
  const skip =
    skips &&
    createPortal(
      <a className="skip" href="#trade">
        {words.skipToTrading}
      </a>,
      skips,
    );
  if (!isPhone) {
    return (
      <>
        {skip}
        <aside className="card trade-card" id="trade" tabIndex={-1} aria-label={words.trade.title}>
          {box}
        </aside>
      </>
    );
  }
  const show = (side: Side) => () => {
    form.set(turnedTo(side));
    setOpen(true);
  };
  return (
    <>
      {skip}
      <div className="phone-bar" id="trade" tabIndex={-1}>
        <button type="button" className="btn primary" data-shortcut="buy" onClick={show('buy')}>
          {words.trade.buy}
        </button>
        <button type="button" className="btn danger" data-shortcut="sell" onClick={show('sell')}>
          {words.trade.sell}
        </button>
      </div>
      {open && (
        <Dialog
          title={`${words.trade.title} ${displayText(token.symbol)}`}
          className="sheet"
          onClose={() => setOpen(false)}
        >
          <div className="trade-card">{box}</div>
        </Dialog>
      )}
    </>
  );
}

const PHONE = '(max-width: 760px)';

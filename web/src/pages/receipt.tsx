import { useEffect } from 'react';
import { market } from '../market/api.js';
import { useLoad } from '../market/use-load.js';
import { Failed, Notice } from '../parts/notice.js';
import { Nowhere } from '../parts/nowhere.js';
import { keptOrder } from '../receipt/orders.js';
import { TradeReceipt } from '../receipt/trade-receipt.js';
import { receiptWords as copy } from '../words/receipt.js';

const LOOK_MS = 2_000;
/** Longer than the index takes for a trade of this browser. */
const EXPECTED_MS = 120_000;

export default function ReceiptPage({ address: signature }: { readonly address: string }) {
  const { data, problem, reload } = useLoad(signature, (options) => market.receipt(signature, options));
  const order = keptOrder(signature);
  const isExpected = problem?.status === 404 && order !== undefined && Date.now() - order.at < EXPECTED_MS;
  const looks = data === undefined ? isExpected : data.items.some(({ trade }) => !trade.finalized);
  useEffect(() => {
    if (!looks) return undefined;
    const timer = setInterval(reload, LOOK_MS);
    return () => clearInterval(timer);
  }, [looks, reload]);
  // A fork can drop a trade that was shown.
  if (data !== undefined && problem?.status !== 404)
    return (
      <>
        {data.items.map((item) => (
          <TradeReceipt key={item.trade.id} {...item} order={order} />
        ))}
      </>
    );
  if (problem === undefined) return <div className="list-skeleton skeleton" />;
  if (isExpected) return <Notice level={1} title={copy.waiting} />;
  if (problem.status === 404 || problem.status === 400)
    return <Nowhere title={copy.unknown} text={copy.unknownHint} />;
  return <Failed title={copy.failed} problem={problem} onRetry={reload} />;
}

// The worker that replays the trades of a token, while a component is mounted.
import { useEffect, useState } from 'react';
import { rpcUrlOf } from '../chain/rpc.js';
import { useConfig } from '../config.js';
import type { TokenSummary } from '../market/types.js';
import type { ReplayNews, ReplayOrder } from './replay-worker.js';
import file from './replay-worker.js?worker&url';
import { workerUrl } from '../worker-url.js';

/**
 * A browser keeps the file for a year, with the security policy in its headers, which names the node.
 *
 * @throws where the browser or the page's security policy allows no worker
 */
function startWorker(node: string): Worker {
  const query = new URLSearchParams({ node });
  return new Worker(workerUrl(`${file}?${query.toString()}`), { type: 'module' });
}

export function useReplay({
  mint,
  initialVirtualToken,
}: TokenSummary): ReplayNews | { readonly at: 'impossible' } {
  const config = useConfig();
  const [news, setNews] = useState<ReturnType<typeof useReplay>>({ at: 'reading', trades: 0 });
  useEffect(() => {
    let worker: Worker;
    try {
      worker = startWorker(new URL(rpcUrlOf(config)).origin);
    } catch (error) {
      console.warn('the browser starts no worker', error);
      setNews({ at: 'impossible' });
      return undefined;
    }
    worker.onmessage = ({ data }: MessageEvent<ReplayNews>) => setNews(data);
    worker.onerror = () => setNews({ at: 'impossible' });
    worker.postMessage({ token: { mint, initialVirtualToken }, config } satisfies ReplayOrder);
    return () => worker.terminate();
  }, [mint, initialVirtualToken, config]);
  return news;
}

// The worker that replays the trades of a token, while a component is mounted.
import { useEffect, useState } from 'react';
import { rpcUrlOf } from '../chain/rpc.js';
import { useConfig } from '../config.js';
import type { Policies } from '../offline.js';
import type { TokenSummary } from '../market/types.js';
import type { ReplayNews, ReplayOrder } from './replay-worker.js';
import workerUrl from './replay-worker.js?worker&url';

let policy: ReturnType<Policies['createPolicy']> | undefined;

/** A browser keeps the file for a year, with the security policy in its headers, which names the node. */
function urlFor(node: string): string {
  const url = new URL(workerUrl, location.href);
  url.searchParams.set('node', node);
  return url.href;
}

/** @throws where the browser or the page's security policy allows no worker */
function startWorker(node: string): Worker {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: Policies };
  // The only policy that the page's security policy allows. It makes the URL of one file.
  policy ??= trustedTypes?.createPolicy('worker', { createScriptURL: urlFor });
  return new Worker(policy?.createScriptURL(node) ?? urlFor(node), { type: 'module' });
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

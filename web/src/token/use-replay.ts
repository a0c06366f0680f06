// The worker that replays the trades of a token, while a component is mounted.
import { useEffect, useState } from 'react';
import { useConfig } from '../config.js';
import type { TokenSummary } from '../market/types.js';
import type { ReplayNews, ReplayOrder } from './replay-worker.js';
import workerUrl from './replay-worker.js?worker&url';

/** The part of Trusted Types that browsers without it do not have. */
interface Policies {
  readonly createPolicy: (
    name: string,
    rules: { readonly createScriptURL: () => string },
  ) => { readonly createScriptURL: (url: string) => string };
}

let policy: ReturnType<Policies['createPolicy']> | undefined;

/** @throws where the browser or the page's security policy allows no worker */
function startWorker(): Worker {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: Policies };
  // The only policy that the page's security policy allows. It makes one URL.
  policy ??= trustedTypes?.createPolicy('worker', { createScriptURL: () => workerUrl });
  return new Worker(policy?.createScriptURL(workerUrl) ?? workerUrl, { type: 'module' });
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
      worker = startWorker();
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

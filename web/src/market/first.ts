// What the service has written into the document, to draw before the APIs answer. A document from elsewhere has nothing.
import type { MarketConfig, TokenDetail } from './types.js';

interface First {
  readonly config?: MarketConfig;
  /** The token of the path that was opened; undefined once its page is left. */
  token?: TokenDetail | undefined;
}

export const first = JSON.parse(document.getElementById('first')?.textContent ?? '{}') as First;

// Data that the service has written into the document, to render before the API answers. From a CDN there is none.
import type { MarketConfig, TokenDetail, TokenPage } from './types.js';

interface First {
  readonly config?: MarketConfig;
  /** The token of the opened path. Undefined after the user has left its page. */
  token?: TokenDetail | undefined;
  /** The tokens closest to graduation, when the board was opened. */
  readonly soon?: TokenPage;
}

export const first = JSON.parse(document.getElementById('first')?.textContent ?? '{}') as First;

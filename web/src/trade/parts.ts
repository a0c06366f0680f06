import type { TokenDetail } from '../market/types.js';
import type { Balances } from '../wallet/balances.js';
import type { Quote } from './quote.js';
import type { Form } from './use-form.js';

/** Props of the parts of the trade form. */
export interface Parts {
  readonly token: TokenDetail;
  readonly form: Form;
  readonly balances: Balances | undefined;
  readonly quote: Quote | undefined;
  readonly symbol: string;
}

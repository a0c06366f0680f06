// lookUpRemembered() over Kit.
import { type TransactionMemory } from '../../trade/options.js';
import { type RememberedOutcome } from '../../trade/result.js';
import { lookUpRemembered as lookUp } from '../../trade/unfinished.js';
import { promised } from '../convert.js';
import { connectionOf, type SendingRpc } from './connection.js';

/**
 * Looks up the remembered transaction once, and forgets it when its outcome is known.
 *
 * @throws the error of the RPC node
 */
export function lookUpRemembered(rpc: SendingRpc, memory: TransactionMemory): Promise<RememberedOutcome> {
  return promised(async () => {
    return await lookUp(connectionOf(rpc), memory);
  });
}

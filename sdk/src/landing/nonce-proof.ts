// The proof that a transaction with a durable nonce has not landed and never will.
import { PublicKey } from '../chain/keys.js';
import type { Connection } from '../chain/types.js';
import { nonceIn } from '../transactions/nonce.js';
import type { ExpiryProof } from './expiry-proof.js';
import { NOT_KEPT } from './blockhash-life.js';
import { askedOf } from './requests.js';

/** Slots for which a node surely keeps the statuses of a block. */
const REMEMBERED_SLOTS = 300 - 50;

/**
 * The proof by a durable nonce, which trusts one RPC node. A transaction lands only while its nonce account has its value.
 * So it needs two facts: the account has another value at a finalized slot, and a status answer of that slot or a later
 * one, from a node that has the blocks since the nonce was read, does not contain the transaction.
 */
export function nonceProof(connection: Connection): ExpiryProof {
  return {
    isDue: () => true,
    async examine({ nonce }, { statusSlot, searchedHistory, retry }) {
      if (nonce === undefined) return { kind: 'unknown', reason: 'the transaction has no nonce' };
      const { context, value } = await retry(
        () => connection.getAccountInfoAndContext(new PublicKey(nonce.account), { commitment: 'finalized' }),
        undefined,
        askedOf(connection, 'getAccountInfo'),
      );
      // Before that slot the account may have had an older value.
      if (context.slot < nonce.slot || nonceIn(value)?.value === nonce.value) return { kind: 'pending' };
      if (statusSlot < context.slot) return { kind: 'expiring' };
      if (statusSlot - nonce.slot <= REMEMBERED_SLOTS) return { kind: 'expired' };
      const asked = askedOf(connection, 'getFirstAvailableBlock');
      const oldest = await retry(() => connection.getFirstAvailableBlock(), undefined, asked);
      return searchedHistory && oldest <= nonce.slot ? { kind: 'expired' } : NOT_KEPT;
    },
  };
}

// SOL for any client, on simulated clusters only, where it has no value.
import { setTimeout as sleep } from 'node:timers/promises';
import { LAMPORTS_PER_SOL, PublicKey, type Connection } from '@solana/web3.js';
import type { Context } from '../context.js';
import type { Api } from '../http/api.js';
import { envelopeErrors } from '../http/error-shapes.js';
import { unavailable } from '../http/problem.js';
import { defineRoute } from '../http/route.js';
import { addressSchema, signatureSchema } from '../http/schemas.js';
import { z } from '../http/zod.js';

const LAMPORTS = 10 * LAMPORTS_PER_SOL;
const CONFIRM_TIMEOUT_MS = 15_000;
const CONFIRM_POLL_MS = 50;

/** `/v1/market/faucet`. Serve it only where SOL has no value. */
export function faucetApi({ connection }: Context): Api {
  return {
    name: 'faucet',
    description: 'SOL on simulated clusters',
    prefix: '/v1/market/faucet',
    errors: envelopeErrors,
    kind: 'faucet',
    routes: [
      defineRoute({
        method: 'post',
        path: '/v1/market/faucet',
        operationId: 'requestSol',
        summary: '10 SOL for a wallet',
        description: 'Only on simulated clusters.',
        body: z.strictObject({ address: addressSchema('a wallet address') }),
        answer: z.object({
          signature: signatureSchema('the transaction'),
          lamports: z
            .string()
            .openapi({ description: 'What the wallet has received', example: String(LAMPORTS) }),
        }),
        answerDescription: 'The SOL is there, confirmed',
        handler: async ({ body: { address } }) => ({
          signature: await airdrop(connection, new PublicKey(address)),
          lamports: String(LAMPORTS),
        }),
      }),
    ],
  };
}

/** @throws HttpProblem 503 when the cluster does not airdrop in time */
async function airdrop(connection: Connection, wallet: PublicKey): Promise<string> {
  try {
    const signature = await connection.requestAirdrop(wallet, LAMPORTS);
    const until = Date.now() + CONFIRM_TIMEOUT_MS;
    while (Date.now() < until) {
      const { value } = await connection.getSignatureStatus(signature);
      if (value?.confirmationStatus === 'confirmed' || value?.confirmationStatus === 'finalized')
        return signature;
      await sleep(CONFIRM_POLL_MS);
    }
    throw new Error(`the airdrop ${signature} is not confirmed after ${CONFIRM_TIMEOUT_MS} ms`);
  } catch (error) {
    throw unavailable('The cluster gives no SOL; try again later', error);
  }
}

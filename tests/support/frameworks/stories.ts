// What the stories of the folder `project` are given, and how they end.
import { fileURLToPath } from 'node:url';
import type { Keypair, PublicKey } from '@solana/web3.js';
import { ed25519Signature } from '#tests/package/ed25519.js';

export const FILES = fileURLToPath(new URL('project', import.meta.url));

/** The message that story.mjs signs. */
const MESSAGE = Uint8Array.of(1, 2, 3);

export interface Given {
  readonly rpcUrl: string;
  /** As `GET /v1/launchpad` publishes it: texts. */
  readonly deployment: unknown;
  readonly mint: PublicKey | string;
  readonly wallet: Pick<Keypair, 'secretKey'>;
}

export function givenText({ wallet, ...rest }: Given): string {
  return JSON.stringify({ ...rest, secretKey: Array.from(wallet.secretKey) });
}

/** The end of story.mjs, and of kit-story.mjs. */
export function endOf({ wallet }: Pick<Given, 'wallet'>) {
  const trades = { receives: true, slippage: true };
  const refused = [
    'InvalidArgumentError slipageBps',
    'InvalidArgumentError options',
    'InvalidArgumentError deployment',
  ];
  const more = [
    'InvalidArgumentError curve',
    'InvalidArgumentError connection',
    'InvalidArgumentError uri',
    'RpcError 127.0.0.1:9',
  ];
  return {
    story: {
      ...trades,
      signature: ed25519Signature(wallet.secretKey, MESSAGE),
      refused: [...refused, ...more],
    },
    // A client of Kit does not tell its URL, so the error has no host.
    kit: { ...trades, refused: [...refused, 'RpcError getMultipleAccounts'] },
  };
}

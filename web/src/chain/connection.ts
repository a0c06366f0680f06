// The web3.js connection to the configured cluster. Imported only for transactions, because web3.js is large.
import { associatedTokenAddress, createDeployment, type Deployment } from '@curvekit/sdk';
import { Connection, PublicKey } from '@solana/web3.js';
import type { MarketConfig } from '../market/types.js';
import { rpcUrlOf } from './rpc.js';

export interface Chain {
  readonly connection: Connection;
  readonly deployment: Deployment;
}

let made: { readonly config: MarketConfig; readonly chain: Chain } | undefined;

/** Returns one connection per configuration. */
export function chainOf(config: MarketConfig): Chain {
  if (made?.config === config) return made.chain;
  const { programId, admin, feeReceiver, dexOwner, graduation } = config.deployment;
  const deployment = createDeployment({
    programId: new PublicKey(programId),
    admin: new PublicKey(admin),
    feeReceiver: new PublicKey(feeReceiver),
    dexOwner: new PublicKey(dexOwner),
    graduation: {
      programId: new PublicKey(graduation.programId),
      treasury: new PublicKey(graduation.treasury),
    },
  });
  const connection = new Connection(rpcUrlOf(config), { commitment: 'confirmed' });
  made = { config, chain: { connection, deployment } };
  return made.chain;
}

/** Address of the token account that trades use. */
export function associatedAccount(wallet: string, mint: string): string {
  return associatedTokenAddress(new PublicKey(wallet), new PublicKey(mint)).address.toBase58();
}

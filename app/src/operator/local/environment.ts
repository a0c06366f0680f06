import type { LocalCluster } from '@curvekit/testing';
import { Keypair } from '@solana/web3.js';

/** Configuration of the service. The environment sets its address and behaviour, the rest is local. */
export function localEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  {
    kind,
    rpcUrl,
    wsUrl,
    admin,
    dexOwner,
    feeReceiver,
  }: Pick<LocalCluster, 'kind' | 'rpcUrl' | 'wsUrl' | 'admin' | 'dexOwner' | 'feeReceiver'>,
  graduationPayer: Keypair,
  uploads: string,
): Record<string, string | undefined> {
  return {
    LOG_LEVEL: 'warn',
    CORS_ORIGINS: '*',
    // Page, command line, bots and examples have one address here, and following a few claims takes more than the usual 100.
    RATE_LIMIT_REQUESTS: '100000',
    MARKET_RATE_LIMIT_REQUESTS: '100000',
    // The simulated wallets launch tokens from this address.
    UPLOADS_PER_DAY: '10000',
    LP_ADDRESS: Keypair.generate().publicKey.toBase58(),
    ...environment,
    DATABASE_URL: undefined,
    DATABASE_URL_FILE: undefined,
    REDIS_URL_FILE: undefined,
    RPC_URL_FILE: undefined,
    WS_URL_FILE: undefined,
    DATABASE_FOLDER: 'memory',
    REDIS_URL: undefined,
    RPC_URL: rpcUrl,
    WS_URL: wsUrl,
    SIMULATED_CLUSTER: kind === 'surfpool' ? 'on' : 'off',
    PROGRAM_ID: undefined,
    ADMIN_ADDRESS: undefined,
    FEE_RECEIVER_ADDRESS: undefined,
    DEX_OWNER_ADDRESS: undefined,
    GRADUATION_PROGRAM_ID: undefined,
    GRADUATION_TREASURY: undefined,
    UPLOADS_FOLDER: uploads,
    WEB_RPC_URL: undefined,
    WEB_WS_URL: undefined,
    // The page uses `/rpc`. Bots and dApps need the websocket and the history too.
    CLIENT_RPC_URL: rpcUrl,
    CLIENT_WS_URL: wsUrl,
    INDEXER: 'on',
    // The local cluster's key that receives swept fees.
    TREASURY_KEYPAIR: keypairText(feeReceiver),
    DEX_OWNER_KEYPAIR: keypairText(dexOwner),
    FEE_RECEIVER_KEYPAIR: undefined,
    GRADUATION_PAYER_KEYPAIR: keypairText(graduationPayer),
    ADMIN_KEYPAIR: keypairText(admin),
  };
}

/** In the format of `solana-keygen`. */
function keypairText({ secretKey }: Keypair): string {
  return JSON.stringify([...secretKey]);
}

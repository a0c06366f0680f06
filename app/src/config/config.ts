// The service's configuration, read from the environment and checked at start.
import type { Keypair, PublicKey } from '@solana/web3.js';
import { z } from 'zod';
import { authoritiesOf, authorityProblems, type Authorities } from './authorities.js';
import { ConfigError } from './errors.js';
import { USUAL_GATEWAYS, type Gateways } from './gateways.js';
import { FILE_VARIABLES, withFiles } from './secret-files.js';
import { isKeyContent } from './secret-key.js';
import { keepSecretsOf } from './secrets.js';
import {
  connectionString,
  explorer,
  gateways,
  integer,
  jsonPointer,
  keypair,
  oneOf,
  origins,
  proxies,
  publicKey,
  publicKeys,
  u64,
  url,
  words,
} from './values.js';

export { ConfigError, type ConfigProblem } from './errors.js';

/** PGlite in this process. Without a folder it runs in memory. */
export interface EmbeddedConfig {
  readonly kind: 'pglite';
  readonly folder: string | undefined;
}

/** PostgreSQL by its address. */
export interface PostgresConfig {
  readonly kind: 'postgres';
  readonly url: string;
  readonly poolSize: number;
}

export type DatabaseConfig = EmbeddedConfig | PostgresConfig;

/** Requests of a client in a window, unless the operator sets another number. */
export const USUAL_REQUESTS = 100;

/** Every variable, and its default if it has one. `.env.example` explains them; a test compares the two. */
const ENVIRONMENT = z.object({
  DATABASE_URL: connectionString('postgres', 'postgresql').optional(),
  DATABASE_FOLDER: words(1_000).default('.curvekit/database'),
  DATABASE_POOL_SIZE: integer(2, 1_000).default(20),
  REDIS_URL: connectionString('redis', 'rediss').optional(),

  RPC_URL: url('http', 'https').default('http://127.0.0.1:8899'),
  WS_URL: url('ws', 'wss').optional(),
  SIMULATED_CLUSTER: oneOf('on', 'off').default('off'),
  PROGRAM_ID: publicKey().optional(),
  ADMIN_ADDRESS: publicKey().optional(),
  FEE_RECEIVER_ADDRESS: publicKey().optional(),
  DEX_OWNER_ADDRESS: publicKey().optional(),

  HOST: words(255).default('127.0.0.1'),
  PORT: integer(0, 65_535).default(3_000),
  PUBLIC_URL: url('http', 'https').optional(),
  TRUST_PROXY: proxies().default(0),
  CORS_ORIGINS: origins().default([]),
  WEB_FOLDER: words(1_000).optional(),
  WEB_RPC_URL: url('http', 'https').optional(),
  WEB_WS_URL: url('ws', 'wss').optional(),
  CLIENT_RPC_URL: url('http', 'https').optional(),
  CLIENT_WS_URL: url('ws', 'wss').optional(),
  EXPLORER_URL: explorer().optional(),
  UPLOADS_FOLDER: words(1_000).default('.curvekit/uploads'),
  UPLOADS_BUCKET: words(63).optional(),
  UPLOADS_BUCKET_ENDPOINT: url('http', 'https').optional(),
  UPLOADS_BUCKET_REGION: words(64).default('us-east-1'),
  UPLOADS_PER_DAY: integer(0, 1_000_000).default(10),
  IPFS_GATEWAYS: gateways().default([...USUAL_GATEWAYS.ipfs]),
  ARWEAVE_GATEWAYS: gateways().default([...USUAL_GATEWAYS.arweave]),
  RATE_LIMIT_REQUESTS: integer(1, 1_000_000_000).default(USUAL_REQUESTS),
  RATE_LIMIT_WINDOW_SECONDS: integer(1, 86_400).default(900),
  MARKET_RATE_LIMIT_REQUESTS: integer(1, 1_000_000_000).default(300),
  STREAMS: integer(1, 100_000).default(5_000),
  STREAMS_PER_ADDRESS: integer(1, 1_000_000).default(6),
  SHUTDOWN_DELAY_SECONDS: integer(0, 300).default(0),
  SHUTDOWN_TIMEOUT_SECONDS: integer(1, 600).default(25),
  LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),

  SERVICE_NAME: words(64).optional(),
  REFERRAL_SHARE_BPS: integer(0, 10_000).default(1_000),
  TREASURY_KEYPAIR: keypair().optional(),
  CLAIM_ACCOUNTS_PER_DAY: integer(0, 1_000_000_000).default(1_000),
  DEX_OWNER_KEYPAIR: keypair().optional(),
  FEE_RECEIVER_KEYPAIR: keypair().optional(),
  GRADUATION_PROGRAM_ID: publicKey().optional(),
  GRADUATION_TREASURY: publicKey().optional(),
  GRADUATION_PAYER_KEYPAIR: keypair().optional(),
  ADMIN_KEYPAIR: keypair().optional(),
  LP_ADDRESS: publicKey().optional(),
  EXCLUDED_HOLDERS: publicKeys().default([]),
  SETTLEMENT_INTERVAL_SECONDS: integer(0, 604_800).default(600),
  SETTLEMENT_MINIMUM_SOL: u64().default(100_000_000n),
  SETTLEMENT_MINIMUM_TOKEN: u64().default(1_000_000_000n),

  INDEXER: oneOf('on', 'off').default('on'),
  INDEXER_POLL_MS: integer(50, 60_000).default(1_000),
  INDEXER_LAG_LIMIT_SLOTS: integer(1, 1_000_000).default(150),
  SOL_PRICE_URL: url('https').optional(),
  SOL_PRICE_POINTER: jsonPointer().default('/solana/usd'),
});

/** Names of every variable that is read. */
export const VARIABLES: readonly string[] = Object.keys(ENVIRONMENT.shape);

/** These, and those that name a file with the value of one. */
export const ALL_VARIABLES: readonly string[] = [...VARIABLES, ...FILE_VARIABLES];

/** Names of the variables that hold a key, or the path of a key file. */
const KEYS = VARIABLES.filter((name) => name.endsWith('_KEYPAIR'));

/** Window of the Market API's rate limit. Short, so that a page over the limit can continue soon. */
const MARKET_WINDOW_SECONDS = 60;

/** Name of a service without SERVICE_NAME and PUBLIC_URL. */
export const UNNAMED = 'Curvekit';

/** An RPC node whose URLs are public. */
export interface PublicNode {
  readonly rpcUrl: string;
  readonly wsUrl: string;
}

export interface Config {
  readonly database: DatabaseConfig;
  /** Redis that shares rate limits among instances. Without it, each instance counts in memory. */
  readonly redisUrl: string | undefined;
  readonly rpcUrl: string;
  readonly wsUrl: string;
  /** The cluster is a Surfpool simulator. The service trusts its answers, because its blocks prove nothing. */
  readonly isSimulated: boolean;
  /** Program to use instead of the SDK's default. */
  readonly programId: PublicKey | undefined;
  /** Authorities compiled into that program, as far as configured. All are required for a program other than the SDK's. */
  readonly authorities: Authorities;
  readonly http: {
    readonly host: string;
    /** 0 for any free port. */
    readonly port: number;
    /** Public URL of the service; the listening address when undefined. */
    readonly publicUrl: string | undefined;
    /** Express's `trust proxy`: hops, or addresses and subnets. */
    readonly trustProxy: number | readonly string[];
    readonly corsOrigins: '*' | readonly string[];
    readonly rateLimit: { readonly requests: number; readonly windowSeconds: number };
    /** Limit of the Market API. Pages poll, and many people share an IP address. */
    readonly marketRateLimit: { readonly requests: number; readonly windowSeconds: number };
    /** Streams of events that one client may have open. */
    readonly streams: number;
    readonly streamsPerAddress: number;
    /** How long the service goes on serving after a stop signal, while `/ready` fails. */
    readonly shutdownDelaySeconds: number;
    readonly shutdownTimeoutSeconds: number;
  };
  readonly web: {
    /** Folder of the built page. The default is the repository's. */
    readonly folder: string | undefined;
    /** RPC node for browsers. When undefined, they use this service's `/rpc`. */
    readonly node: PublicNode | undefined;
    /** Explorer of the page's links: `{path}` stands for `tx/SIGNATURE` or `address/ADDRESS`. */
    readonly explorerUrl: string | undefined;
  };
  /** RPC node that `GET /v1/launchpad` names for bots and dApps. When undefined, they use this service's `/rpc`. */
  readonly clientNode: PublicNode | undefined;
  readonly uploads: {
    /** Folder of pictures and metadata, unless a bucket is configured. */
    readonly folder: string;
    /** Bucket in S3, or on a compatible server. */
    readonly bucket:
      { readonly bucket: string; readonly endpoint: string | undefined; readonly region: string } | undefined;
    /** Uploads a day for each wallet and each IP address; 0 refuses uploads. */
    readonly perDay: number;
  };
  /** Where files named by `ipfs://` and `ar://` are fetched. */
  readonly gateways: Gateways;
  readonly logLevel: string;
  /** Name of the service in messages that users sign: SERVICE_NAME, or else the host of PUBLIC_URL. */
  readonly serviceName: string;
  /** Partners' share of the platform fee, in basis points. */
  readonly referralShareBps: number;
  /** Pays claims. Without it, the service refuses claims. */
  readonly treasury: Keypair | undefined;
  /** Token accounts that claims may open in 24 hours at the expense of the treasury. */
  readonly claimAccountsPerDay: number;
  /** Settles the community storages. Without it, there are no settlements. */
  readonly dexOwner: Keypair | undefined;
  /** Signs migrations of curves, if the fee receiver is a keypair. */
  readonly feeReceiver: Keypair | undefined;
  /** The graduation program, if curves graduate by themselves. Undefined fields are as in the SDK. */
  readonly graduation: {
    readonly programId: PublicKey | undefined;
    readonly treasury: PublicKey | undefined;
  };
  /** Pays for graduations. Without it, other parties graduate the tokens. */
  readonly graduationPayer: Keypair | undefined;
  /** Sweeps fees to the treasury as referral rewards need them. Without it, the operator sweeps by command. */
  readonly admin: Keypair | undefined;
  /** Key files with their variables. A key given inline has no file. */
  readonly keyFiles: readonly { readonly variable: string; readonly path: string }[];
  readonly settlement: {
    /** Receives the liquidity share. */
    readonly lpAddress: PublicKey | undefined;
    /** Addresses that hold tokens but do not count as holders, such as pools. */
    readonly excludedHolders: readonly PublicKey[];
    /** Seconds; 0 settles only by command. */
    readonly intervalSeconds: number;
    /** A storage with fewer lamports is not settled. */
    readonly minimumSol: bigint;
    /** A storage with fewer token units is not settled. */
    readonly minimumToken: bigint;
  };
  readonly indexer: { readonly enabled: boolean; readonly pollMs: number; readonly lagLimitSlots: number };
  /** Source of SOL's price in USD. Without it, prices are in SOL. */
  readonly solPrice: { readonly url: string; readonly pointer: string } | undefined;
}

/**
 * Reads the configuration from the environment. An empty variable counts as not set.
 *
 * @throws ConfigError that names every invalid variable, its limit and the fix
 */
export function readConfig(variables: Readonly<Record<string, string | undefined>>): Config {
  const { environment, problems: unreadable } = withFiles(variables);
  if (unreadable.length > 0) throw new ConfigError(unreadable);
  const given = Object.fromEntries(
    VARIABLES.map((name) => [name, environment[name] ?? ''] as const).filter(
      ([, value]) => value.trim() !== '',
    ),
  );
  const parsed = ENVIRONMENT.safeParse(given);
  if (!parsed.success) {
    throw new ConfigError(
      parsed.error.issues.map(({ path, message }) => ({ variable: String(path[0]), problem: message })),
    );
  }
  const env = parsed.data;
  for (const url of [env.RPC_URL, env.WS_URL, env.SOL_PRICE_URL]) keepSecretsOf(url);
  const problems = authorityProblems(env);
  if (problems.length > 0) throw new ConfigError(problems);
  return {
    database: databaseConfig(env),
    redisUrl: env.REDIS_URL,
    rpcUrl: env.RPC_URL,
    wsUrl: env.WS_URL ?? websocketUrl(env.RPC_URL),
    isSimulated: env.SIMULATED_CLUSTER === 'on',
    programId: env.PROGRAM_ID,
    authorities: authoritiesOf(env),
    http: {
      host: env.HOST,
      port: env.PORT,
      publicUrl: env.PUBLIC_URL,
      trustProxy: env.TRUST_PROXY,
      corsOrigins: env.CORS_ORIGINS,
      rateLimit: { requests: env.RATE_LIMIT_REQUESTS, windowSeconds: env.RATE_LIMIT_WINDOW_SECONDS },
      marketRateLimit: { requests: env.MARKET_RATE_LIMIT_REQUESTS, windowSeconds: MARKET_WINDOW_SECONDS },
      streams: env.STREAMS,
      streamsPerAddress: env.STREAMS_PER_ADDRESS,
      shutdownDelaySeconds: env.SHUTDOWN_DELAY_SECONDS,
      shutdownTimeoutSeconds: env.SHUTDOWN_TIMEOUT_SECONDS,
    },
    web: {
      folder: env.WEB_FOLDER,
      node: publicNode(env.WEB_RPC_URL, env.WEB_WS_URL),
      explorerUrl: env.EXPLORER_URL,
    },
    clientNode:
      publicNode(env.CLIENT_RPC_URL, env.CLIENT_WS_URL) ?? publicNode(env.WEB_RPC_URL, env.WEB_WS_URL),
    uploads: {
      folder: env.UPLOADS_FOLDER,
      bucket:
        env.UPLOADS_BUCKET === undefined
          ? undefined
          : {
              bucket: env.UPLOADS_BUCKET,
              endpoint: env.UPLOADS_BUCKET_ENDPOINT,
              region: env.UPLOADS_BUCKET_REGION,
            },
      perDay: env.UPLOADS_PER_DAY,
    },
    gateways: { ipfs: env.IPFS_GATEWAYS, arweave: env.ARWEAVE_GATEWAYS },
    logLevel: env.LOG_LEVEL,
    serviceName: env.SERVICE_NAME ?? (env.PUBLIC_URL === undefined ? UNNAMED : new URL(env.PUBLIC_URL).host),
    referralShareBps: env.REFERRAL_SHARE_BPS,
    treasury: env.TREASURY_KEYPAIR,
    claimAccountsPerDay: env.CLAIM_ACCOUNTS_PER_DAY,
    dexOwner: env.DEX_OWNER_KEYPAIR,
    feeReceiver: env.FEE_RECEIVER_KEYPAIR,
    graduation: { programId: env.GRADUATION_PROGRAM_ID, treasury: env.GRADUATION_TREASURY },
    graduationPayer: env.GRADUATION_PAYER_KEYPAIR,
    admin: env.ADMIN_KEYPAIR,
    keyFiles: KEYS.flatMap((variable) => {
      const path = given[variable]?.trim() ?? '[';
      return isKeyContent(path) ? [] : [{ variable, path }];
    }),
    settlement: {
      lpAddress: env.LP_ADDRESS,
      excludedHolders: env.EXCLUDED_HOLDERS,
      intervalSeconds: env.SETTLEMENT_INTERVAL_SECONDS,
      minimumSol: env.SETTLEMENT_MINIMUM_SOL,
      minimumToken: env.SETTLEMENT_MINIMUM_TOKEN,
    },
    indexer: {
      enabled: env.INDEXER === 'on',
      pollMs: env.INDEXER_POLL_MS,
      lagLimitSlots: env.INDEXER_LAG_LIMIT_SLOTS,
    },
    solPrice:
      env.SOL_PRICE_URL === undefined
        ? undefined
        : { url: env.SOL_PRICE_URL, pointer: env.SOL_PRICE_POINTER },
  };
}

function publicNode(rpcUrl: string | undefined, wsUrl: string | undefined): PublicNode | undefined {
  return rpcUrl === undefined ? undefined : { rpcUrl, wsUrl: wsUrl ?? websocketUrl(rpcUrl) };
}

function databaseConfig(env: z.infer<typeof ENVIRONMENT>): DatabaseConfig {
  if (env.DATABASE_URL !== undefined) {
    return { kind: 'postgres', url: env.DATABASE_URL, poolSize: env.DATABASE_POOL_SIZE };
  }
  return { kind: 'pglite', folder: env.DATABASE_FOLDER === 'memory' ? undefined : env.DATABASE_FOLDER };
}

/** Local nodes serve websockets on the RPC port plus one; hosted nodes, whose URL has no port, on the same port. */
function websocketUrl(rpcUrl: string): string {
  const websocket = new URL(rpcUrl);
  websocket.protocol = websocket.protocol === 'https:' ? 'wss:' : 'ws:';
  if (websocket.port !== '') websocket.port = String(Number(websocket.port) + 1);
  return websocket.href;
}

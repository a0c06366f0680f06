// The service's configuration, read from the environment and checked at start.
import type { PublicKey } from '@solana/web3.js';
import type { z } from 'zod';
import { authoritiesOf, authorityProblems, type Authorities } from './authorities.js';
import { ENVIRONMENT, KEYS, VARIABLES } from './environment.js';
import { ConfigError } from './errors.js';
import type { Gateways } from './gateways.js';
import type { Role } from './roles.js';
import { withFiles } from './secret-files.js';
import { isKeyFile } from './read-key.js';
import { keepSecret, keepSecretsOf } from '../base/secrets.js';
import type { Signer } from '../keys/signer.js';
import type { TracingConfig } from '../base/tracing/start.js';

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
  /** Standbys that serve reads of the market. */
  readonly replicas?: readonly string[];
}

export type DatabaseConfig = EmbeddedConfig | PostgresConfig;

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
  /** A Yellowstone gRPC feed. With it, the indexer does not use the websocket. */
  readonly yellowstone: { readonly url: string; readonly token: string | undefined } | undefined;
  /** The cluster is a Surfpool simulator. The service trusts its answers, because its blocks prove nothing. */
  readonly isSimulated: boolean;
  /** Program to use instead of the SDK's default. */
  readonly programId: PublicKey | undefined;
  /** Authorities compiled into that program, as far as configured. All are required for a program other than the SDK's. */
  readonly authorities: Authorities;
  /** What this process does: everything, serve the APIs and the page, or run the jobs. */
  readonly role: Role;
  readonly http: {
    readonly host: string;
    /** 0 for any free port. */
    readonly port: number;
    /** Port of `/metrics` and of the checks' details, which the other port then does not have. */
    readonly operatorPort: number | undefined;
    /** Whether each answered request has a log line; those that fail always have one. */
    readonly accessLog: boolean;
    /** Public URL of the service; the listening address when undefined. */
    readonly publicUrl: string | undefined;
    /** Express's `trust proxy`: hops, or addresses and subnets. */
    readonly trustProxy: number | readonly string[];
    readonly corsOrigins: '*' | readonly string[];
    readonly rateLimit: { readonly requests: number; readonly windowSeconds: number };
    /** Limit of the Market API. Pages poll, and many people share an IP address. */
    readonly marketRateLimit: { readonly requests: number; readonly windowSeconds: number };
    /** Streams of events that all clients may have open. */
    readonly streams: number;
    /** Streams of events that one client may have open. */
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
  /** Where traces are sent. Without it, nothing is traced. */
  readonly tracing: TracingConfig | undefined;
  /** Name of the service in messages that users sign: SERVICE_NAME, or else the host of PUBLIC_URL. */
  readonly serviceName: string;
  /** Partners' share of the platform fee, in basis points. */
  readonly referralShareBps: number;
  /** Pays claims. Without it, the service refuses claims. */
  readonly treasury: Signer | undefined;
  /** Token accounts that claims may open in 24 hours at the expense of the treasury. */
  readonly claimAccountsPerDay: number;
  /** Settles the community storages. Without it, there are no settlements. */
  readonly dexOwner: Signer | undefined;
  /** Signs migrations of curves, if the fee receiver is a keypair. */
  readonly feeReceiver: Signer | undefined;
  /** The graduation program, if curves graduate by themselves. Undefined fields are as in the SDK. */
  readonly graduation: {
    readonly programId: PublicKey | undefined;
    readonly treasury: PublicKey | undefined;
  };
  /** Pays for graduations. Without it, other parties graduate the tokens. */
  readonly graduationPayer: Signer | undefined;
  /** Sweeps fees to the treasury as referral rewards need them. Without it, the operator sweeps by command. */
  readonly admin: Signer | undefined;
  /** All of these keys with their variables. */
  readonly signers: readonly { readonly variable: string; readonly signer: Signer }[];
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
  readonly indexer: {
    readonly enabled: boolean;
    readonly pollMs: number;
    readonly lagLimitSlots: number;
    /** Requests for transactions that run at the same time. */
    readonly parallelRequests: number;
  };
  /** Days that candles of minutes are stored. */
  readonly minuteCandlesDays: number;
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
  keepSecret(env.YELLOWSTONE_TOKEN);
  const problems = authorityProblems(env);
  if (problems.length > 0) throw new ConfigError(problems);
  return {
    database: databaseConfig(env),
    redisUrl: env.REDIS_URL,
    rpcUrl: env.RPC_URL,
    wsUrl: env.WS_URL ?? websocketUrl(env.RPC_URL),
    yellowstone:
      env.YELLOWSTONE_URL === undefined
        ? undefined
        : { url: env.YELLOWSTONE_URL, token: env.YELLOWSTONE_TOKEN },
    isSimulated: env.SIMULATED_CLUSTER === 'on',
    programId: env.PROGRAM_ID,
    authorities: authoritiesOf(env),
    role: env.ROLE,
    http: {
      host: env.HOST,
      port: env.PORT,
      operatorPort: env.OPERATOR_PORT,
      accessLog: env.ACCESS_LOG === 'on',
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
    tracing: tracingOf(env),
    serviceName: env.SERVICE_NAME ?? (env.PUBLIC_URL === undefined ? UNNAMED : new URL(env.PUBLIC_URL).host),
    referralShareBps: env.REFERRAL_SHARE_BPS,
    treasury: env.TREASURY_KEYPAIR,
    claimAccountsPerDay: env.CLAIM_ACCOUNTS_PER_DAY,
    dexOwner: env.DEX_OWNER_KEYPAIR,
    feeReceiver: env.FEE_RECEIVER_KEYPAIR,
    graduation: { programId: env.GRADUATION_PROGRAM_ID, treasury: env.GRADUATION_TREASURY },
    graduationPayer: env.GRADUATION_PAYER_KEYPAIR,
    admin: env.ADMIN_KEYPAIR,
    signers: KEYS.flatMap((variable) => {
      const signer = env[variable];
      return signer === undefined ? [] : [{ variable, signer }];
    }),
    keyFiles: KEYS.flatMap((variable) => {
      const path = given[variable]?.trim();
      return path !== undefined && isKeyFile(path) ? [{ variable, path }] : [];
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
      parallelRequests: env.INDEXER_PARALLEL_REQUESTS,
    },
    minuteCandlesDays: env.MINUTE_CANDLES_DAYS,
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
    const replicas = env.DATABASE_REPLICA_URLS;
    return { kind: 'postgres', url: env.DATABASE_URL, poolSize: env.DATABASE_POOL_SIZE, replicas };
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

// The standard variables of OpenTelemetry.

/** Undefined without an endpoint: then nothing is traced. */
function tracingOf(env: z.infer<typeof ENVIRONMENT>): TracingConfig | undefined {
  const endpoint = env.OTEL_EXPORTER_OTLP_ENDPOINT;
  const headers = env.OTEL_EXPORTER_OTLP_HEADERS;
  if (endpoint === undefined) return undefined;
  keepSecretsOf(endpoint);
  for (const value of Object.values(headers)) keepSecret(value);
  return {
    endpoint,
    headers,
    serviceName: env.OTEL_SERVICE_NAME,
    sampler: env.OTEL_TRACES_SAMPLER,
    ratio: env.OTEL_TRACES_SAMPLER_ARG,
  };
}

// The service's configuration, read from the environment and checked at start.
import { ConfigError, type ConfigProblem } from './errors.js';
import { withFiles, type Environment } from './secret-files.js';
import { settings, type SettingName, type Settings } from './settings.js';
import { isKeyFile } from './secret-key.js';
import { keepSecret, keepSecretsOf } from '../base/secrets.js';
import type { TracingConfig } from '../base/tracing/spans.js';
import { DEFAULT_DEPLOYMENT } from '@curvekit/sdk';
import { PublicKey } from '@solana/web3.js';

export { ConfigError, type ConfigProblem } from './errors.js';

/** PGlite in this process. Without a folder it runs in memory. */
export interface EmbeddedConfig {
  readonly kind: 'pglite';
  readonly folder: string | undefined;
}

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

/** The settings that hold a key, or say where it is. */
const KEYS = settings.map(([name]) => name).filter((name) => name.endsWith('_KEYPAIR')) as KeyName[];
type KeyName = Extract<SettingName, `${string}_KEYPAIR`>;

/** What the settings mean. `settings.ts` explains each. */
export type Config = Readonly<ReturnType<typeof configOf>>;

/**
 * Reads the configuration from the environment. An empty variable counts as not set.
 *
 * @throws ConfigError that names every invalid variable, its limit and the fix
 */
export function readConfig(variables: Readonly<Record<string, string | undefined>>): Config {
  const env = readSettings(variables);
  const { SOL_PRICE_URL: price } = env;
  for (const url of [env.RPC_URL, env.WS_URL, price && 'url' in price ? price.url : undefined])
    keepSecretsOf(url);
  for (const token of [env.YELLOWSTONE_TOKEN, env.SOL_PRICE_TOKEN]) keepSecret(token);
  const problems = [...authorityProblems(env), ...shareProblems(env)];
  if (problems.length > 0) throw new ConfigError(problems);
  return configOf(env, variables);
}

const ALL_BPS = 10_000;

/** Both shares are of the same fee, the partner's first. */
function shareProblems({
  REFERRAL_SHARE_BPS: referral,
  CREATOR_SHARE_BPS: creator,
}: Settings): ConfigProblem[] {
  if (referral + creator <= ALL_BPS) return [];
  const most = ALL_BPS - referral;
  const problem = `is ${creator}, more than the ${most} that REFERRAL_SHARE_BPS (${referral}) leaves of the fee; lower one of them`;
  return [{ variable: 'CREATOR_SHARE_BPS', problem }];
}

/** @throws ConfigError that names every invalid variable */
function readSettings(variables: Environment): Settings {
  const { environment, problems } = withFiles(variables);
  if (problems.length > 0) throw new ConfigError(problems);
  const read = settings.map(([variable, { parse, fallback }]) => {
    const text = environment[variable]?.trim() ?? '';
    try {
      return [variable, text === '' ? fallback : parse(text)];
    } catch (error) {
      problems.push({ variable, problem: (error as Error).message });
      return [variable, undefined];
    }
  });
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.fromEntries(read) as Settings;
}

function configOf(env: Settings, variables: Environment) {
  return {
    database: databaseConfig(env),
    redisUrl: env.REDIS_URL,
    rpcUrl: env.RPC_URL,
    wsUrl: env.WS_URL ?? websocketUrl(env.RPC_URL),
    yellowstone:
      env.YELLOWSTONE_URL === undefined
        ? undefined
        : { url: env.YELLOWSTONE_URL, token: env.YELLOWSTONE_TOKEN },
    isSimulated: env.SIMULATED_CLUSTER,
    programId: env.PROGRAM_ID,
    authorities: authoritiesOf(env),
    role: env.ROLE,
    http: {
      host: env.HOST,
      port: env.PORT,
      operatorPort: env.OPERATOR_PORT,
      accessLog: env.ACCESS_LOG,
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
    creatorShareBps: env.CREATOR_SHARE_BPS,
    listsPools: env.LISTING_POOLS,
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
      const path = variables[variable]?.trim();
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
      enabled: env.INDEXER,
      pollMs: env.INDEXER_POLL_MS,
      lagLimitSlots: env.INDEXER_LAG_LIMIT_SLOTS,
      parallelRequests: env.INDEXER_PARALLEL_REQUESTS,
    },
    minuteCandlesDays: env.MINUTE_CANDLES_DAYS,
    solPrice: priceOf(env),
  };
}

function priceOf({ SOL_PRICE_URL: source, SOL_PRICE_POINTER: pointer, SOL_PRICE_TOKEN: token }: Settings) {
  return source !== undefined && 'url' in source ? { ...source, pointer, token } : source;
}

function publicNode(rpcUrl: string | undefined, wsUrl: string | undefined) {
  return rpcUrl === undefined ? undefined : { rpcUrl, wsUrl: wsUrl ?? websocketUrl(rpcUrl) };
}

function databaseConfig(env: Settings): DatabaseConfig {
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
function tracingOf(env: Settings): TracingConfig | undefined {
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

// The authorities compiled into the program: each as an address, or as a keypair if the service signs with it.

/** Addresses from the environment. An undefined one is the SDK deployment's. */
interface Authorities {
  readonly admin: PublicKey | undefined;
  /** Undefined with GRADUATION_PROGRAM_ID: then it is a PDA of that program. */
  readonly feeReceiver: PublicKey | undefined;
  readonly dexOwner: PublicKey | undefined;
}

const NAMES = ['ADMIN', 'FEE_RECEIVER', 'DEX_OWNER'] as const;

function authoritiesOf(env: Settings): Authorities {
  const of = (name: (typeof NAMES)[number]) => env[`${name}_ADDRESS`] ?? env[`${name}_KEYPAIR`]?.publicKey;
  return { admin: of('ADMIN'), feeReceiver: of('FEE_RECEIVER'), dexOwner: of('DEX_OWNER') };
}

/** Contradictions between variables, and missing authorities of a custom program. */
function authorityProblems(env: Settings): ConfigProblem[] {
  return [
    ...NAMES.flatMap((name) => contradiction(env, name)),
    ...missing(env),
    ...missingTreasury(env),
    ...missingProgram(env),
    ...sharedKey(env),
  ];
}

/** After a restore, the payments of the treasury are told from those of the DEX owner by their signer. */
function sharedKey(env: Settings): ConfigProblem[] {
  const { TREASURY_KEYPAIR: treasury } = env;
  const { dexOwner } = authoritiesOf(env);
  if (treasury === undefined || dexOwner === undefined || !treasury.publicKey.equals(dexOwner)) return [];
  const problem = `is the key of ${dexOwner.toBase58()}, which is the DEX owner; use another key for the treasury`;
  return [{ variable: 'TREASURY_KEYPAIR', problem }];
}

function contradiction(env: Settings, name: (typeof NAMES)[number]): ConfigProblem[] {
  const address = env[`${name}_ADDRESS`];
  const key = env[`${name}_KEYPAIR`]?.publicKey;
  if (address === undefined || key === undefined || address.equals(key)) return [];
  const problem = `is ${address.toBase58()}, but ${name}_KEYPAIR is the key of ${key.toBase58()}; remove the wrong one`;
  return [{ variable: `${name}_ADDRESS`, problem }];
}

function missing(env: Settings): ConfigProblem[] {
  const { PROGRAM_ID: programId, GRADUATION_PROGRAM_ID: graduationProgram } = env;
  if (programId === undefined || programId.equals(DEFAULT_DEPLOYMENT.programId)) return [];
  const { admin, feeReceiver, dexOwner } = authoritiesOf(env);
  const absent: Record<(typeof NAMES)[number], boolean> = {
    ADMIN: admin === undefined,
    FEE_RECEIVER: feeReceiver === undefined && graduationProgram === undefined,
    DEX_OWNER: dexOwner === undefined,
  };
  return NAMES.filter((name) => absent[name]).map((name) => {
    const others = [`${name}_KEYPAIR`, ...(name === 'FEE_RECEIVER' ? ['GRADUATION_PROGRAM_ID'] : [])];
    const problem = `is missing: PROGRAM_ID is ${programId.toBase58()}, not the development program; set it to the address compiled into that program, or set ${others.join(' or ')}`;
    return { variable: `${name}_ADDRESS`, problem };
  });
}

/** Nobody has the key of an address off the curve, so there a graduation program takes the fees. */
function missingProgram(env: Settings): ConfigProblem[] {
  const { FEE_RECEIVER_ADDRESS: address, GRADUATION_PROGRAM_ID: programId } = env;
  const isKnown = address?.equals(DEFAULT_DEPLOYMENT.graduation.feeReceiver.address) === true;
  if (address === undefined || programId !== undefined || isKnown) return [];
  if (PublicKey.isOnCurve(address.toBytes())) return [];
  const problem = `is missing: FEE_RECEIVER_ADDRESS is ${address.toBase58()}, an address of a program, which no key signs for; set it to that program`;
  return [{ variable: 'GRADUATION_PROGRAM_ID', problem }];
}

function missingTreasury(env: Settings): ConfigProblem[] {
  const { GRADUATION_PROGRAM_ID: programId, GRADUATION_TREASURY: treasury } = env;
  const development = DEFAULT_DEPLOYMENT.graduation.programId;
  if (programId === undefined || treasury !== undefined || programId.equals(development)) return [];
  const problem = `is missing: GRADUATION_PROGRAM_ID is ${programId.toBase58()}, not the development program; set it to the address compiled into that program`;
  return [{ variable: 'GRADUATION_TREASURY', problem }];
}

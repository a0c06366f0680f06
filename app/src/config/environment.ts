// The variables that the service reads, with their limits and defaults.
import { z } from 'zod';
import { USUAL_GATEWAYS } from './gateways.js';
import { ROLES } from './roles.js';
import { FILE_VARIABLES } from './secret-files.js';
import { SAMPLERS } from '../base/tracing/start.js';
import {
  connectionString,
  connectionStrings,
  explorer,
  gateways,
  grpcUrl,
  headers,
  integer,
  jsonPointer,
  key,
  oneOf,
  origins,
  proxies,
  publicKey,
  publicKeys,
  ratio,
  u64,
  url,
  words,
} from './values.js';

/** Requests of a client in a window, unless the operator sets another number. */
export const USUAL_REQUESTS = 100;

/** Every variable, and its default if it has one. `.env.example` explains them; a test compares the two. */
export const ENVIRONMENT = z.object({
  DATABASE_URL: connectionString('postgres', 'postgresql').optional(),
  DATABASE_REPLICA_URLS: connectionStrings('postgres', 'postgresql').default([]),
  DATABASE_FOLDER: words(1_000).default('.curvekit/database'),
  DATABASE_POOL_SIZE: integer(2, 1_000).default(20),
  REDIS_URL: connectionString('redis', 'rediss').optional(),

  RPC_URL: url('http', 'https').default('http://127.0.0.1:8899'),
  WS_URL: url('ws', 'wss').optional(),
  YELLOWSTONE_URL: grpcUrl().optional(),
  YELLOWSTONE_TOKEN: words(1_000).optional(),
  SIMULATED_CLUSTER: oneOf('on', 'off').default('off'),
  PROGRAM_ID: publicKey().optional(),
  ADMIN_ADDRESS: publicKey().optional(),
  FEE_RECEIVER_ADDRESS: publicKey().optional(),
  DEX_OWNER_ADDRESS: publicKey().optional(),

  ROLE: oneOf(...ROLES).default('all'),
  HOST: words(255).default('127.0.0.1'),
  PORT: integer(0, 65_535).default(3_000),
  OPERATOR_PORT: integer(0, 65_535).optional(),
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
  SHUTDOWN_TIMEOUT_SECONDS: integer(1, 600).default(15),
  ACCESS_LOG: oneOf('on', 'off').default('on'),
  LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
  OTEL_EXPORTER_OTLP_ENDPOINT: url('http', 'https').optional(),
  OTEL_EXPORTER_OTLP_HEADERS: headers().default({}),
  OTEL_SERVICE_NAME: words(255).default('curvekit'),
  OTEL_TRACES_SAMPLER: oneOf(...SAMPLERS).default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: ratio().default(1),

  SERVICE_NAME: words(64).optional(),
  REFERRAL_SHARE_BPS: integer(0, 10_000).default(1_000),
  TREASURY_KEYPAIR: key().optional(),
  CLAIM_ACCOUNTS_PER_DAY: integer(0, 1_000_000_000).default(1_000),
  DEX_OWNER_KEYPAIR: key().optional(),
  FEE_RECEIVER_KEYPAIR: key().optional(),
  GRADUATION_PROGRAM_ID: publicKey().optional(),
  GRADUATION_TREASURY: publicKey().optional(),
  GRADUATION_PAYER_KEYPAIR: key().optional(),
  ADMIN_KEYPAIR: key().optional(),
  LP_ADDRESS: publicKey().optional(),
  EXCLUDED_HOLDERS: publicKeys().default([]),
  SETTLEMENT_INTERVAL_SECONDS: integer(0, 604_800).default(600),
  SETTLEMENT_MINIMUM_SOL: u64().default(100_000_000n),
  SETTLEMENT_MINIMUM_TOKEN: u64().default(1_000_000_000n),

  INDEXER: oneOf('on', 'off').default('on'),
  INDEXER_POLL_MS: integer(50, 60_000).default(1_000),
  INDEXER_PARALLEL_REQUESTS: integer(1, 64).default(6),
  INDEXER_LAG_LIMIT_SLOTS: integer(1, 1_000_000).default(150),
  MINUTE_CANDLES_DAYS: integer(2, 100_000).default(30),
  SOL_PRICE_URL: url('https').optional(),
  SOL_PRICE_POINTER: jsonPointer().default('/solana/usd'),
});

/** Names of every variable that is read. */
export const VARIABLES: readonly string[] = Object.keys(ENVIRONMENT.shape);

/** These, and those that name a file with the value of one. */
export const ALL_VARIABLES: readonly string[] = [...VARIABLES, ...FILE_VARIABLES];

/** Names of the variables that hold a key, or say where it is. */
export const KEYS = [
  'TREASURY_KEYPAIR',
  'DEX_OWNER_KEYPAIR',
  'FEE_RECEIVER_KEYPAIR',
  'GRADUATION_PAYER_KEYPAIR',
  'ADMIN_KEYPAIR',
] as const satisfies readonly (keyof typeof ENVIRONMENT.shape)[];

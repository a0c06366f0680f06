// Every setting of the service: its parser, default and sentence. `npm run generate:sdk` makes `.env.example` of them.
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
  onOff,
  oneOf,
  origins,
  priceSource,
  proxies,
  publicKey,
  publicKeys,
  ratio,
  u64,
  url,
  words,
  USUAL_GATEWAYS,
  ROLES,
} from './values.js';
import { SAMPLERS } from '../base/tracing/spans.js';

/** Requests of a client in a window, unless the operator sets another number. */
export const USUAL_REQUESTS = 100;

interface Notes {
  /** Value that `.env.example` shows instead of the default. */
  readonly example?: string;
  /** It can hold a password or a node's key. NAME_FILE then names a file with the value. */
  readonly secret?: boolean;
  /** The setting without which this one does nothing. */
  readonly needs?: string;
  /** The setting beside which this one does nothing. */
  readonly unless?: string;
}

export interface Setting<Value> extends Notes {
  /** @throws a message that continues "NAME …" */
  readonly parse: (text: string) => Value;
  readonly fallback: Value;
  readonly about: string;
}

/** The template is the sentence for `.env.example`. */
const setting =
  <Value, Fallback extends Value | undefined = undefined>(
    parse: (text: string) => Value,
    fallback?: Fallback,
    notes: Notes = {},
  ) =>
  ([about = '']: TemplateStringsArray): Setting<Value | Fallback> => ({
    ...notes,
    parse,
    fallback: fallback as Value | Fallback,
    about: about.replaceAll(/\s+/g, ' ').trim(),
  });

const DATABASE = {
  DATABASE_URL: setting(connectionString('postgres', 'postgresql'), undefined, {
    example: 'postgres://curvekit:password@localhost:5432/curvekit',
    secret: true,
  })`
    PostgreSQL 15 or newer. Without it, PGlite runs inside the process: one instance only.`,
  DATABASE_REPLICA_URLS: setting(connectionStrings('postgres', 'postgresql'), [], {
    example: 'postgres://curvekit:password@replica-1:5432/curvekit',
    secret: true,
    needs: 'DATABASE_URL',
  })`
    Standbys of it that serve the reads of the market and of the page, separated by commas. One that is more
    than 3 seconds behind, or does not answer, is left out until it has caught up. Rewards, claims and partners
    always read the primary.`,
  DATABASE_FOLDER: setting(words(1_000), '.curvekit/database', { unless: 'DATABASE_URL' })`
    Where PGlite keeps its files; \`memory\` keeps none.`,
  DATABASE_POOL_SIZE: setting(integer(2, 1_000), 20, { needs: 'DATABASE_URL' })`
    Connections to PostgreSQL of one instance, from 2: requests, payments and jobs have 40, 30 and 30 % of them,
    each at least one. Leases are renewed on one more.`,
  REDIS_URL: setting(connectionString('redis', 'rediss'), undefined, {
    example: 'redis://localhost:6379',
    secret: true,
  })`
    Shares the rate limits among instances, and what one of them reads for the live stream. Without it each
    counts and reads for itself.`,
};

const CLUSTER = {
  RPC_URL: setting(url('http', 'https'), 'http://127.0.0.1:8899', { secret: true })`
    The node must keep the whole history with inner instructions and logs: the index waits at slots without
    blocks.`,
  SIMULATED_CLUSTER: setting(onOff, false)`
    Set it to on only for Surfpool. The service then trusts the node without proof. Never use it with real
    money.`,
  WS_URL: setting(url('ws', 'wss'), undefined, { example: 'ws://127.0.0.1:8900', secret: true })`
    Without it: the port after RPC_URL's, or the same address when that names no port.`,
  YELLOWSTONE_URL: setting(grpcUrl, undefined, { example: 'https://grpc.example.com:10000', secret: true })`
    A Yellowstone gRPC feed (Geyser) of the same cluster: https://HOST:PORT, or http:// without encryption.
    Trades then come from it, and the index asks RPC_URL for the list that it is checked against, and for what
    the feed lacks. The websocket is not used.`,
  YELLOWSTONE_TOKEN: setting(words(1_000), undefined, { secret: true, needs: 'YELLOWSTONE_URL' })`
    The feed's x-token.`,
  PROGRAM_ID: setting(publicKey)`
    Another deployment of the program than the SDK's. It needs the three addresses compiled into it. An address
    can be left out where its _KEYPAIR below is set, and that of the fee receiver where GRADUATION_PROGRAM_ID
    is.`,
  ADMIN_ADDRESS: setting(publicKey)``,
  FEE_RECEIVER_ADDRESS: setting(publicKey)``,
  DEX_OWNER_ADDRESS: setting(publicKey)``,
};

const HTTP = {
  ROLE: setting(oneOf(...ROLES), 'all')`
    What this process does. \`all\`: everything. \`api\`: serves the APIs and the page, and runs no job.
    \`worker\`: runs the jobs (indexes, follows claims, settles, graduates), and serves only /health, /ready and
    /metrics. There must be a process that runs the jobs; of several, one does, and another one takes over when
    it fails.`,
  HOST: setting(words(255), '127.0.0.1')``,
  PORT: setting(integer(0, 65_535), 3_000)`0 takes any free port.`,
  PUBLIC_URL: setting(url('http', 'https'), undefined, { example: 'https://api.example.com' })`
    Where clients reach the service, for the API documents and the links to next pages.`,
  TRUST_PROXY: setting(proxies, 0)`
    Proxies before the service: how many, or their addresses or subnets. 0 believes no X-Forwarded-For header.`,
  CORS_ORIGINS: setting(origins, [], { example: 'https://app.example.com' })`
    Browser origins that may call the API, separated by commas; * for all. Without it: none.`,
  WEB_FOLDER: setting(words(1_000), undefined, { example: 'web/dist' })`
    Folder of the built web page. Without it: web/dist beside the service.`,
  WEB_RPC_URL: setting(url('http', 'https'), undefined, { example: 'https://rpc.example.com/public-key' })`
    RPC node and websocket that browsers ask directly. The page shows these addresses to everyone, so a key in
    them must be a public one. Without WEB_RPC_URL browsers ask this service (\`POST /rpc\`), which asks
    RPC_URL.`,
  WEB_WS_URL: setting(url('ws', 'wss'), undefined, {
    example: 'wss://rpc.example.com/public-key',
    needs: 'WEB_RPC_URL',
  })`
    Without it: the port after WEB_RPC_URL's, or the same address when that names no port.`,
  CLIENT_RPC_URL: setting(url('http', 'https'), undefined, { example: 'https://rpc.example.com/public-key' })`
    RPC node and websocket that GET /v1/launchpad names for bots and dApps, for everyone to see. Without it:
    WEB_RPC_URL, and without that \`POST /rpc\` of this service, which has no websocket and no history.`,
  CLIENT_WS_URL: setting(url('ws', 'wss'), undefined, {
    example: 'wss://rpc.example.com/public-key',
    needs: 'CLIENT_RPC_URL',
  })``,
  EXPLORER_URL: setting(explorer, undefined, { example: 'https://explorer.solana.com/{path}' })`
    Explorer that the page links to: {path} stands for tx/SIGNATURE or address/ADDRESS. Without it
    explorer.solana.com, and none on local clusters.`,
  UPLOADS_FOLDER: setting(words(1_000), '.curvekit/uploads', { unless: 'UPLOADS_BUCKET' })`
    Where pictures and metadata of tokens are kept: those that are uploaded here, and copies of the pictures of
    all others. Several instances need one folder that all of them see.`,
  UPLOADS_BUCKET: setting(words(63))`
    Or a bucket of S3, or of a server that speaks like it; all instances see the same. The keys are those that
    the AWS SDK finds: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, a profile, a role. They must allow to get,
    put and delete objects.`,
  UPLOADS_BUCKET_ENDPOINT: setting(url('http', 'https'), undefined, { needs: 'UPLOADS_BUCKET' })`
    Address of a server other than AWS.`,
  UPLOADS_BUCKET_REGION: setting(words(64), 'us-east-1', { needs: 'UPLOADS_BUCKET' })``,
  UPLOADS_PER_DAY: setting(integer(0, 1_000_000), 10)`
    Uploads in 24 hours of one wallet, and of one address; 0 takes none.`,
  IPFS_GATEWAYS: setting(gateways, [...USUAL_GATEWAYS.ipfs])`
    Gateways that metadata and pictures named by ipfs:// and ar:// are fetched from, in this order, separated by
    commas: https origins.`,
  ARWEAVE_GATEWAYS: setting(gateways, [...USUAL_GATEWAYS.arweave])``,
  RATE_LIMIT_REQUESTS: setting(integer(1, 1_000_000_000), USUAL_REQUESTS)`
    Requests of one client (IPv4 address or IPv6 /64) in one window; an IPv6 /48 has ten times as many. A
    partner's key can have a limit of its own: \`curvekit key issue --limit\`.`,
  RATE_LIMIT_WINDOW_SECONDS: setting(integer(1, 86_400), 900)``,
  MARKET_RATE_LIMIT_REQUESTS: setting(integer(1, 1_000_000_000), 300)`
    Requests to the Market API that one address may send in a minute.`,
  STREAMS_PER_ADDRESS: setting(integer(1, 1_000_000), 6)`
    Streams of market events that one client may have open at an instance. Browsers open six to a host at most,
    but many people may share an address.`,
  STREAMS: setting(integer(1, 100_000), 5_000)`
    Streams of all clients at an instance. Each takes a file descriptor, and 25 KiB of memory.`,
  OPERATOR_PORT: setting(integer(0, 65_535), undefined, { example: '9000' })`
    Port of /metrics and of the details of /health and /ready, at the same HOST. Without it they are at PORT,
    where a proxy must keep them from the public; with it, PORT answers /health and /ready with their status
    alone.`,
  SHUTDOWN_DELAY_SECONDS: setting(integer(0, 300), 0)`
    How long the service goes on serving after a stop signal, while /ready fails, so that a balancer takes it
    out first. Twice the balancer's interval of checks.`,
  SHUTDOWN_TIMEOUT_SECONDS: setting(integer(1, 600), 15)`
    How long requests under way may take to finish at shutdown.`,
  ACCESS_LOG: setting(onOff, true)`
    Log lines of requests that were answered without an error: on or off. Errors always have one.`,
  LOG_LEVEL: setting(oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'), 'info')`
    fatal, error, warn, info, debug, trace or silent`,
};

const TRACING = {
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(url('http', 'https'), undefined, { example: 'http://127.0.0.1:4318' })`
    The standard variables of OpenTelemetry. Base URL of a receiver of OTLP over HTTP, best a collector beside
    the service: an export may take a second. Without it nothing is traced.`,
  OTEL_EXPORTER_OTLP_HEADERS: setting(
    headers,
    {},
    { example: 'authorization=Bearer%20KEY', secret: true, needs: 'OTEL_EXPORTER_OTLP_ENDPOINT' },
  )`
    Headers of each export, for a receiver that wants a key: name=value, separated by commas, a space as %20.`,
  OTEL_SERVICE_NAME: setting(words(255), 'curvekit', { needs: 'OTEL_EXPORTER_OTLP_ENDPOINT' })``,
  OTEL_TRACES_SAMPLER: setting(oneOf(...SAMPLERS), 'parentbased_always_on', {
    needs: 'OTEL_EXPORTER_OTLP_ENDPOINT',
  })`
    always_on, always_off or traceidratio; or one of them after parentbased_, which believes a caller that names
    its own trace.`,
  OTEL_TRACES_SAMPLER_ARG: setting(ratio, 1, { needs: 'OTEL_TRACES_SAMPLER' })`
    Share of traces that a sampler with traceidratio records, from 0 to 1.`,
};

const REWARDS = {
  SERVICE_NAME: setting(words(64), undefined, { example: 'Curvekit' })`
    Named in the messages that users sign, at most 64 characters: they must know by it whom they sign for.
    Without it the host of PUBLIC_URL, and without that \`Curvekit\`, which every local installation is called.`,
  REFERRAL_SHARE_BPS: setting(integer(0, 10_000), 1_000)`
    Partners' share of the platform fee of their users' trades, in basis points.`,
  CREATOR_SHARE_BPS: setting(integer(0, 10_000), 0)`
    Share of the platform fee of each trade on a curve, in basis points, for the token's creator, or for whom it
    has chosen once. With REFERRAL_SHARE_BPS it is at most 10,000. A change counts for trades of later slots.`,
  LISTING_POOLS: setting(onOff, false)`
    on: the adapters for aggregators list the pools too, if their AMM's own listing does not, and then up to two minutes
    later. Set it before the first aggregator reads: answers of earlier blocks change.`,
  TREASURY_KEYPAIR: setting(key, undefined, { example: '/run/secrets/treasury.json' })`
    Keys: the path of a file as \`solana-keygen\` writes it, its content, or the URL of a signer in another
    process or in a cloud (docs/keys.md). Pays claims and their network fees. Without it claims are refused.`,
  CLAIM_ACCOUNTS_PER_DAY: setting(integer(0, 1_000_000_000), 1_000)`
    Token accounts that claims may open in 24 hours at the treasury's expense, about 0.002 SOL each. Beyond
    that, wallets open their own.`,
  DEX_OWNER_KEYPAIR: setting(key, undefined, { example: '/run/secrets/dex-owner.json' })`
    Owner of the community storages. Without it nothing is settled.`,
  FEE_RECEIVER_KEYPAIR: setting(key, undefined, { example: '/run/secrets/fee-receiver.json' })`
    Signs the migration of graduated curves (\`curvekit migrate\`), and moves the fees that back referral
    rewards to the treasury. Without it send them from the fee receiver to the treasury by other means: the
    service books what arrives.`,
  GRADUATION_PROGRAM_ID: setting(publicKey)`
    Where curves graduate by themselves: the graduation program, and the treasury compiled into it, both or
    neither. Left out they are those of the SDK that this service was built with. Without a program at that
    address, curves are migrated by the key above.`,
  GRADUATION_TREASURY: setting(publicKey)``,
  GRADUATION_PAYER_KEYPAIR: setting(key, undefined, { example: '/run/secrets/graduation-payer.json' })`
    Takes graduated curves to their pools. Any key: it pays network fees, and lends 0.0062 SOL within a
    transaction. 0.01 SOL is enough.`,
  ADMIN_KEYPAIR: setting(key, undefined, { example: '/run/secrets/admin.json' })`
    The admin of the programs. Better not here: who takes over the service could change the fee of every curve.
    With it the service sweeps the fees to the treasury (which must be TREASURY_KEYPAIR's) as referral rewards
    need them; without it \`curvekit fees sweep\` does.`,
  LP_ADDRESS: setting(publicKey)`
    Receives the liquidity share of settlements. Needed for tokens that have one.`,
  EXCLUDED_HOLDERS: setting(publicKeys, [])`
    Wallets that hold tokens without being holders, separated by commas. The pools of curves that graduated by
    themselves are left out without being named here.`,
  SETTLEMENT_INTERVAL_SECONDS: setting(integer(0, 604_800), 600)`
    How often storages are looked at, and how long the period is in which a token's holders are sampled before
    it is settled; 0 for never (only \`curvekit settle\`).`,
  SETTLEMENT_MINIMUM_SOL: setting(u64, 100_000_000n)`
    Lamports that both storages of a token must be worth together, its tokens at their last price. Less waits
    for more.`,
  SETTLEMENT_MINIMUM_TOKEN: setting(u64, 1_000_000_000n)`
    Smallest token units that the token storage must hold besides: fewer are left where they are.`,
};

const INDEXER = {
  INDEXER: setting(onOff, true)`
    on or off. Of many instances with \`on\`, one indexes at a time.`,
  INDEXER_POLL_MS: setting(integer(50, 60_000), 1_000)`
    How often to look for new transactions when the websocket is silent.`,
  INDEXER_PARALLEL_REQUESTS: setting(integer(1, 64), 6)`
    Requests for transactions that run at the same time. More of them index a long history faster, if the node
    allows them.`,
  INDEXER_LAG_LIMIT_SLOTS: setting(integer(1, 1_000_000), 150)`
    Slots that the index may be behind before /ready says no, on every instance.`,
  MINUTE_CANDLES_DAYS: setting(integer(2, 100_000), 30)`
    Candles shorter than an hour are deleted after this many days. Candles of an hour or more are never deleted.`,
  SOL_PRICE_URL: setting(priceSource, undefined, {
    example: 'https://api.coingecko.com/api/v3/simple/price?ids=solana&vs_currencies=usd',
    secret: true,
  })`
    SOL's price in USD: the https URL of a JSON document; pyth:ADDRESS, a price account of Pyth that RPC_URL is
    asked for; or usd:142.5, a fixed price. Without it prices are in SOL. A price of Pyth that is older than ten
    minutes, or whose confidence interval is wider than 2 %, counts as unknown.`,
  SOL_PRICE_POINTER: setting(jsonPointer, '/solana/usd', { needs: 'SOL_PRICE_URL' })`
    Where in the document the price is: a number, or a price of Pyth's Hermes, there /parsed/0/price.`,
  SOL_PRICE_TOKEN: setting(words(1_000), undefined, { secret: true, needs: 'SOL_PRICE_URL' })`
    The key of the document's server, sent as a bearer token. Hermes needs one.`,
};

/** By the titles in `.env.example`. */
export const SECTIONS: Readonly<Record<string, Readonly<Record<string, Setting<unknown>>>>> = {
  Database: DATABASE,
  Cluster: CLUSTER,
  HTTP,
  Tracing: TRACING,
  Rewards: REWARDS,
  Indexer: INDEXER,
};
const SETTINGS = { ...DATABASE, ...CLUSTER, ...HTTP, ...TRACING, ...REWARDS, ...INDEXER };

export type SettingName = keyof typeof SETTINGS;
export type Settings = { readonly [Name in SettingName]: (typeof SETTINGS)[Name]['fallback'] };

/** By their names, in the order of `.env.example`. */
export const settings = Object.entries(SETTINGS) as [SettingName, Setting<unknown>][];

/** Variable that names a file with the value of a secret. */
export const fileVariable = (name: string): string => `${name}_FILE`;
/** Settings whose value can stand in a file. Those of keys are not among them: their value is a path. */
export const SECRETS = settings.filter(([, { secret }]) => secret === true).map(([name]) => name);

export const ALL_VARIABLES: readonly string[] = [
  ...settings.map(([name]) => name),
  ...SECRETS.map(fileVariable),
];

// The service: starts the database, the jobs and HTTP, and stops them in the right order.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Express } from 'express';
import { Claims } from './claims/claims.js';
import { remoteClaims } from './claims/remote-claims.js';
import { actionsApis } from './page/actions/routes.js';
import { faucetApi } from './page/faucet.js';
import { DailyLimit } from './tokens/pictures/daily-limit.js';
import { Library } from './tokens/pictures/library.js';
import { filesApis, uploadsApi } from './tokens/pictures/routes.js';
import { openStore } from './tokens/pictures/store.js';
import { metadataCheck } from './tokens/metadata/oldest.js';
import { createPage } from './page/routes.js';
import { sharePictureApi } from './page/share-picture-api.js';
import { rpcApi } from './page/rpc-api.js';
import { measureBalances, countSignerFailures } from './sending/balance-metrics.js';
import { measurePools, measureReplicas, tellBuild } from './db/metrics.js';
import { watchOwnKeys } from './ledger/gate/payments-gate.js';
import {
  databaseCheck,
  measureWritable,
  indexerCheck,
  ledgerCheck,
  nodeCheck,
  paymentsCheck,
  feedCheck,
  transactionsCheck,
} from './checks.js';
import { peersCheck, signersCheck } from './outside-checks.js';
import { adminKeyProblem } from './config/admin-key.js';
import type { Config } from './config/config.js';
import { createContext, type Context } from './context.js';
import { WriteFailures } from './db/errors.js';
import { countOverruns } from './db/jobs/leader-job.js';
import { jobsOf, servesApis, type Intervals } from './service-jobs.js';
import type { Api } from './http/api.js';
import { createApp } from './http/app.js';
import { createOperatorApp, listenForOperators } from './http/operator-app.js';
import type { OpenApiDocument } from './http/openapi.js';
import { redisCheck } from './http/redis-check.js';
import { memoryStores, redisStores } from './http/rate-limit-store.js';
import { listen, type RunningServer } from './http/server.js';
import { launchpadApi } from './market/launchpad/routes.js';
import { indexProgress } from './index/lag.js';
import { MarketStream } from './market/stream/stream.js';
import { streamApi } from './market/stream/routes.js';
import { MarketConfig } from './market/config.js';
import { HoldersReader } from './market/reads/holders.js';
import { listingApis } from './market/listing/routes.js';
import { feeSharesApi } from './market/shares/routes.js';
import { marketApi } from './market/routes.js';
import { partnerApi } from './partners/routes.js';
import { WalletAuth } from './http/wallet-auth.js';
import { ClaimsRepository } from './claims/repository.js';
import { RewardsRepository } from './claims/rewards/rewards-repository.js';
import { RewardsService } from './claims/rewards/rewards-service.js';
import { rewardsApi } from './claims/rewards/routes.js';
import { IN_SOL, inUsd, type SolPrice } from './claims/rewards/sol-price.js';
import { countWaitingTasks } from './db/retries/tasks.js';
import { measurePartitions } from './index/trades/partitions.js';
import { withTimeout } from '@curvekit/sdk';
import { startTracing } from './base/tracing/spans.js';
import { measureWebhooks } from './webhooks/webhook-job.js';
import { settlementsApi } from './graduation/settlement/routes.js';
import packageFile from '../package.json' with { type: 'json' };

const GENESIS_TIMEOUT_MS = 2_000;

export interface ServiceOptions extends Intervals {
  readonly overrides?: Partial<Context>;
  /** How long the result of the ledger check is reused. */
  readonly ledgerKeptMs?: number;
}

export interface Service {
  readonly url: string;
  /** URL of the operator's port; undefined without OPERATOR_PORT. */
  readonly operatorUrl: string | undefined;
  readonly context: Context;
  /** URL of the web page; undefined when the page is not built. */
  readonly page: string | undefined;
  readonly document: OpenApiDocument;
  /** Finishes open requests, stops the jobs, closes the database. Safe to call twice. */
  stop(): Promise<void>;
}

/** Starts the service. @throws when the database does not open or the port is in use; then nothing keeps running */
export async function startService(config: Config, options: ServiceOptions = {}): Promise<Service> {
  const context = await createContext(config, options.overrides);
  // Before the application is made: it asks whether requests are traced.
  const tracing = await startTracing(config.tracing, context);
  try {
    const service = await start(context, options);
    const stop = async () => {
      await service.stop();
      await tracing.stop();
    };
    return { ...service, stop };
  } catch (error) {
    await Promise.all([context.database.close(), tracing.stop()]);
    throw error;
  }
}

async function start(opened: Context, options: ServiceOptions): Promise<Service> {
  const failures = new WriteFailures();
  const context = { ...opened, database: failures.watch(opened.database) };
  const { config, database, logger, metrics, now } = context;
  // Must come before a claim can be signed with these keys.
  await watchOwnKeys(context);
  warnOfAdminKey(context);
  countSignerFailures(context);
  countWaitingTasks(database, metrics);
  measureReplicas(database, metrics.registry);
  measurePartitions(context);
  measureWebhooks(context);
  measurePools(database, metrics.registry);
  measureBalances(context);
  tellBuild(metrics.registry, packageFile.version);
  const repository = new ClaimsRepository(database.on('payments'));
  const auth = new WalletAuth(database, now);
  const stores = config.redisUrl === undefined ? memoryStores() : redisStores(config.redisUrl, logger);
  const library = new Library(database, await openStore(config.uploads, context.peers));
  const dailyUploads = new DailyLimit(stores, config.uploads.perDay);
  const stream = new MarketStream(context, () => indexProgress(context), config.redisUrl);
  const usable = databaseCheck(context);
  measureWritable(usable, failures, metrics);
  const redis = redisCheck(stores, metrics.registry);
  const ledger = ledgerCheck(context, options.ledgerKeptMs);
  let closing = false;
  const solPrice = config.solPrice && inUsd(config.solPrice, context);
  const market = new MarketConfig({ ...context, solPrice });
  const holders = new HoldersReader(context);
  const page = createPage(context, market);
  const observed = {
    config: config.http,
    logger,
    registry: metrics.registry,
    healthChecks: [ledger],
    readyChecks: [
      usable,
      nodeCheck(context),
      indexerCheck(context),
      transactionsCheck(context),
      ...(config.yellowstone === undefined ? [] : [feedCheck(context)]),
      paymentsCheck(context),
      ...(config.signers.length === 0 ? [] : [signersCheck(context)]),
      ...(config.indexer.enabled ? [metadataCheck(context)] : []),
      peersCheck(context),
      ...(config.redisUrl === undefined ? [] : [redis]),
      ledger,
    ],
    isClosing: () => closing,
  };
  const { app, document } = createApp({
    ...observed,
    serviceName: config.serviceName,
    version: packageFile.version,
    page,
    apis: [
      ...ofThePage(context),
      ...filesApis(library),
      sharePictureApi(context, library),
      ...actionsApis(context),
      launchpadApi(context),
      streamApi(stream),
      ...(config.uploads.perDay === 0
        ? []
        : [uploadsApi({ library, auth, limit: dailyUploads, publicUrl: config.http.publicUrl })]),
      rewards(context, auth, repository, solPrice ?? IN_SOL),
      settlementsApi(context),
      feeSharesApi({ ...context, chain: () => market.chain() }),
      // Must come before the Partner API, whose prefix also covers its paths.
      marketApi({ ...context, market, holders }),
      ...listingApis({ ...context, holders }),
      partnerApi(context),
    ],
    stores,
  });
  const forOperators = createOperatorApp(observed);
  const served = servesApis(config.role) ? app : forOperators;
  const [server, operators] = await listening(context, served, forOperators).catch(async (error: unknown) => {
    stores.close();
    await stream.stop();
    throw error;
  });
  const jobs = jobsOf(context, { library, auth, ...options });
  countOverruns(jobs, metrics.registry);
  for (const job of jobs) job.start();
  void logStart(context, server.url);

  async function stop(): Promise<void> {
    closing = true;
    logger.info('closing');
    // A balancer sends requests until it sees that the instance is not ready.
    await sleep(config.http.shutdownDelaySeconds * 1_000);
    await stream.stop();
    const ended = server.close(config.http.shutdownTimeoutSeconds * 1_000).then(() => operators?.close(0));
    await Promise.all([ended, ...jobs.map((job) => job.stop())]);
    stores.close();
    await database.close();
  }

  let stopped: Promise<void> | undefined;
  return {
    url: server.url,
    operatorUrl: operators?.url,
    page: page.isBuilt && servesApis(config.role) ? server.url : undefined,
    context,
    document,
    stop: () => (stopped ??= stop()),
  };
}

/** Opens the port of the service, and the operator's if there is one. Both, or neither. */
async function listening(
  { config: { http } }: Context,
  app: Express,
  forOperators: Express,
): Promise<[RunningServer, RunningServer | undefined]> {
  const server = await listen(app, http);
  try {
    return [server, await listenForOperators(forOperators, http)];
  } catch (error) {
    await server.close(0);
    throw error;
  }
}

function warnOfAdminKey({ config, logger }: Context): void {
  const found = adminKeyProblem(config);
  if (found !== undefined)
    logger.warn(found, 'ADMIN_KEYPAIR should not be set where the service runs: see `fix`');
}

/** Logs one line that identifies this process. Logs only the origin of the RPC URL, because the rest may be secret. */
async function logStart(
  { config, connection, database, deployment, logger }: Context,
  url: string,
): Promise<void> {
  const asked = withTimeout(connection.getGenesisHash(), GENESIS_TIMEOUT_MS, 'the node');
  const genesis = await asked.catch(() => 'not known: the node does not answer');
  logger.info(
    {
      url,
      version: packageFile.version,
      cluster: { genesis, node: new URL(config.rpcUrl).origin },
      program: deployment.programId.toBase58(),
      database: database.kind,
    },
    'started',
  );
}

/** Additional APIs for the web page. They come before `/v1/market`, whose prefix covers some of their paths. */
function ofThePage(context: Context): Api[] {
  const { web, isSimulated } = context.config;
  return [
    ...(web.node === undefined ? [rpcApi(context.config)] : []),
    ...(isSimulated ? [faucetApi(context)] : []),
  ];
}

function rewards(context: Context, auth: WalletAuth, repository: ClaimsRepository, solPrice: SolPrice): Api {
  const { config, database } = context;
  const claim = config.treasury?.claim;
  return rewardsApi({
    auth,
    rewards: new RewardsService(new RewardsRepository(database.queries), solPrice),
    repository,
    claims: claim === undefined ? new Claims(context, repository) : remoteClaims(claim),
    publicUrl: config.http.publicUrl,
  });
}

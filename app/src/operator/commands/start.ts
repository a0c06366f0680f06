import { InvalidArgumentError, Option, type Command } from 'commander';
import { relative } from 'node:path';
import type { PublicKey } from '@solana/web3.js';
import { KEY_HELD_DEPLOYMENT, withTimeout } from '@curvekit/sdk';
import { ROLES, type Role } from '../../config/values.js';
import { CommandError, type Registration, type Terminal } from '../command.js';
import { readConfig, type Config } from '../../config/config.js';
import { untilSignal, logConsole, logWarnings } from '../../base/process.js';
import { createLogger } from '../../base/logging/logging.js';
import { USUAL_REQUESTS } from '../../config/settings.js';
import { facts } from '../format.js';
import { grouped } from '../table.js';
import type { LocalLaunchpad } from '../local/launchpad.js';
import { deploymentOf } from '../../context.js';
import { connectNode } from '../../chain/connection.js';
import type { CommandCluster } from '../session.js';
import { simulateFeeReceiver } from '../doctor/simulation.js';

interface StartOptions {
  readonly local?: boolean;
  readonly json?: boolean;
  readonly role?: Role;
}

export function register(command: Command, { terminal }: Registration): void {
  command
    .option(
      '--local',
      'run everything: a local cluster with the program, tokens that simulated wallets trade, a partner, the database in memory',
    )
    .option(
      '--json',
      'print the addresses as JSON on standard output; without --local one line, after the log lines so far',
    )
    .addOption(
      new Option('--role <role>', `what this process does: ${ROLES.join(', ')}; as ROLE, which it overrides`)
        .argParser(role)
        .conflicts('local'),
    )
    .action((options: StartOptions) => runStart(terminal, options));
}

function role(text: string): Role {
  const known = ROLES.find((one) => one === text);
  if (known !== undefined) return known;
  throw new InvalidArgumentError(`It must be one of ${ROLES.join(', ')}; a worker also indexes.`);
}

/** A machine that is busy must not look like one that hangs. */
const REPORT_MS = 5_000;

function runStart(
  { environment, ...terminal }: Terminal,
  { local, json, role }: StartOptions,
): Promise<void> {
  const chosen = role === undefined ? environment : { ...environment, ROLE: role };
  return (local === true ? startLocal : startConfigured)({ ...terminal, environment: chosen }, json === true);
}

async function startConfigured({ environment, out }: Terminal, json: boolean): Promise<void> {
  const config = readConfig(environment);
  await requireRightFeeReceiver(config);
  const { startService } = await import('../../service.js');
  const logger = createLogger(config.logLevel);
  logWarnings(logger);
  const service = await startService(config, { overrides: { logger } });
  logConsole(logger);
  // One line, like the lines of the log.
  if (json) out(JSON.stringify({ url: service.url, docs: docsUrl(service.url) }));
  await untilSignal();
  await service.stop();
}

async function startLocal({ environment, out, err }: Terminal, json: boolean): Promise<void> {
  // Imported on demand: production needs nothing of a local cluster.
  const { startLocalLaunchpad } = await import('../local/launchpad.js');
  // From the beginning: a start that is interrupted must leave nothing behind either.
  let isInterrupted = false;
  const interrupted = untilSignal().then(() => {
    isInterrupted = true;
    err('curvekit: stopping');
  });
  let step = '';
  const log = (line: string) => {
    step = line;
    err(`curvekit: ${line}`);
  };
  const report = setInterval(() => err(`curvekit: ${step}, ${Math.round(process.uptime())} s`), REPORT_MS);
  const launchpad = await startLocalLaunchpad({ environment, log }).finally(() => clearInterval(report));
  if (isInterrupted) return launchpad.stop();
  const seconds = Number(process.uptime().toFixed(1));
  out(json ? JSON.stringify(documentOf(launchpad, seconds), null, 2) : describe(launchpad, seconds));
  await interrupted;
  await launchpad.stop();
}

function describe(
  { service, cluster, partnerKey, tokens, wallet, payoutWallet, shellFile }: LocalLaunchpad,
  seconds: number,
): string {
  const { url, page } = service;
  const key = partnerKey.key;
  return [
    `Ready after ${seconds} s: a launchpad on a local cluster, all in memory.`,
    '',
    facts([
      ['web page', page ?? 'not built: `npm run build` builds it'],
      ['API', url],
      ['API docs', docsUrl(url)],
      ['health', `${url}/health, ${url}/ready, ${url}/metrics`],
      ['RPC node', `${cluster.rpcUrl}, websocket ${cluster.wsUrl}`],
      ...tokens.map(({ mint, name, symbol }) => [`token ${symbol}`, `${mint.toBase58()} ${name}`] as const),
      ['partner', partnerKey.partner.name],
      ['partner key', key],
      ['rate limit', limitOf(service)],
      ['payout wallet', relative(process.cwd(), payoutWallet.file)],
      ['your wallet', `${relative(process.cwd(), wallet.file)}, with 1,000 SOL`],
    ]),
    '',
    'Simulated wallets trade the tokens; half of them are users of the partner. Trade with them, in another terminal:',
    `  . ${shellFile}   # sets LAUNCHPAD_URL=${url}, KEYPAIR, WALLET, MINT, PAYOUT_KEYPAIR, API_KEY, RPC_URL, WS_URL`,
    '  npx curvekit-trade buy $MINT --sol 0.5',
    '  npx curvekit-trade claim --keypair $PAYOUT_KEYPAIR',
    '  curl $LAUNCHPAD_URL/v1/internal/stats -H "x-api-key: $API_KEY"',
    '',
    'Ctrl+C stops everything.',
  ].join('\n');
}

function limitOf({ context }: LocalLaunchpad['service']): string {
  const { requests, windowSeconds } = context.config.http.rateLimit;
  const usual =
    requests === USUAL_REQUESTS ? '' : `; elsewhere ${USUAL_REQUESTS}, unless RATE_LIMIT_REQUESTS is set`;
  return `${grouped(requests)} requests of an address in ${windowSeconds / 60} minutes for each API${usual}`;
}

function documentOf(
  { service, cluster, partnerKey, tokens, wallet, payoutWallet, shellFile }: LocalLaunchpad,
  seconds: number,
) {
  return {
    url: service.url,
    page: service.page ?? null,
    docs: docsUrl(service.url),
    rpcUrl: cluster.rpcUrl,
    wsUrl: cluster.wsUrl,
    programId: cluster.programId.toBase58(),
    tokens: tokens.map(({ mint, name, symbol }) => ({ mint: mint.toBase58(), name, symbol })),
    partner: partnerKey.partner.name,
    partnerKey: partnerKey.key,
    payoutWallet: partnerKey.partner.payoutWallet,
    payoutWalletFile: payoutWallet.file,
    walletFile: wallet.file,
    shellFile,
    seconds,
  };
}

function docsUrl(url: string): string {
  return `${url}/docs`;
}

// Before a start: whether the program has the configured fee receiver. With another one it would refuse every trade of the
// page and of Solana Actions, and clients would be told a wrong deployment.

const TIMEOUT_MS = 5_000;

/**
 * A node that does not answer, or a launchpad that is not open yet, is no reason to refuse.
 *
 * @throws CommandError when the program has another fee receiver
 */
async function requireRightFeeReceiver(config: Config): Promise<void> {
  const cluster = { config, connection: connectNode(config), deployment: deploymentOf(config) };
  const problem = await withTimeout(problemOf(cluster), TIMEOUT_MS, 'the node').catch(() => undefined);
  if (problem !== undefined) throw new CommandError(problem);
}

async function problemOf(cluster: CommandCluster): Promise<string | undefined> {
  const { programId, feeReceiver: own, graduation } = cluster.deployment;
  const isRefused = async (address: PublicKey) => {
    const found = await simulateFeeReceiver(cluster, address);
    return found.kind === 'other key' && found.account === 'fee_account';
  };
  if (!(await isRefused(own))) return undefined;
  const start = `the program ${programId.toBase58()} does not have the fee receiver ${own.toBase58()}`;
  const pda = graduation.feeReceiver.address;
  if (!pda.equals(own) && !(await isRefused(pda)))
    return `${start}, but ${pda.toBase58()} of the graduation program: remove FEE_RECEIVER_ADDRESS and FEE_RECEIVER_KEYPAIR`;
  const key = KEY_HELD_DEPLOYMENT.feeReceiver;
  if (!key.equals(own) && !(await isRefused(key)))
    return `${start}, but the development key ${key.toBase58()}: set FEE_RECEIVER_ADDRESS to it`;
  return `${start}: set FEE_RECEIVER_ADDRESS to its own, or GRADUATION_PROGRAM_ID and GRADUATION_TREASURY where a graduation program takes the fees`;
}

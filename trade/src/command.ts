// Shared by all commands: the RPC node, the deployment, `--json`, and exit codes.
import { existsSync } from 'node:fs';
import { Connection, type Keypair, type PublicKey } from '@solana/web3.js';
import type { Command } from 'commander';
import { DEFAULT_DEPLOYMENT, type Deployment } from '@curvekit/sdk';
import { connectLaunchpad } from '@curvekit/sdk/launchpad';
import { errorDocument, EXIT, exitCodeOf, messageOf, UsageError } from './errors.js';
import { readDeployment, readKeypair } from './files.js';
import { keepProgram } from './known-launchpads.js';
import { factsText, jsonLine, plain, type Facts } from './output.js';
import type { Terminal } from './terminal.js';
import { address, url } from './values.js';

const LAUNCHPAD_TIMEOUT_MS = 10_000;

export type Options = Readonly<Record<string, string | boolean | undefined>>;

export interface Session {
  readonly args: readonly string[];
  readonly options: Options;
  readonly terminal: Terminal;
  readonly connection: Connection;
  readonly deployment: Deployment;
  /** URL of the launchpad's service, if one is named. */
  readonly launchpadUrl: string | undefined;
  /** Prints a result: one line of JSON with `--json`, else text. */
  readonly print: (document: object, text: Facts | string) => void;
  readonly progress: (text: string) => void;
}

export interface Registration {
  readonly terminal: Terminal;
  readonly setExitCode: (code: number) => void;
}

/** Adds the common options and the action. `run` returns the exit code, or nothing for 0. */
export function work(
  command: Command,
  { terminal, setExitCode }: Registration,
  run: (session: Session) => Promise<number | void>,
): void {
  command
    .option(
      '--launchpad <url>',
      "the launchpad's service, which tells its RPC node and its programs; or the variable LAUNCHPAD_URL",
    )
    .option('--rpc-url <url>', "RPC node, if not the launchpad's; or the variable RPC_URL")
    .option(
      '--ws-url <url>',
      "the node's websocket URL for `watch`, if it differs from the RPC URL's; or WS_URL",
    )
    .option(
      '--deployment <name>',
      "build of the programs, if not the launchpad's: default, key-held, or a JSON file with its addresses; or CURVEKIT_DEPLOYMENT",
    )
    .option(
      '--program <address>',
      "the launchpad's program: another one is refused (default: the one that the launchpad named first)",
    )
    .option('--json', 'print JSON, one line each; every amount is text in lamports or smallest token units')
    .action(async () => {
      const options = command.opts<Options>();
      const isJson = options['json'] === true;
      let host: string | undefined;
      try {
        const cluster = await clusterOf(options, terminal);
        host = new URL(cluster.connection.rpcEndpoint).host;
        const session: Session = {
          args: command.args,
          options,
          terminal,
          ...cluster,
          print: (document, text) =>
            terminal.out(isJson ? jsonLine(document) : typeof text === 'string' ? text : factsText(text)),
          progress: terminal.err,
        };
        setExitCode((await run(session)) ?? EXIT.done);
      } catch (error) {
        const message = plain(messageOf(error, host));
        terminal.err(`curvekit-trade: ${message}`);
        if (isJson) terminal.out(jsonLine(errorDocument(error, message)));
        setExitCode(exitCodeOf(error, terminal.stopped));
      }
    });
}

export function textOf(options: Options, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}

type Cluster = Pick<Session, 'connection' | 'deployment' | 'launchpadUrl'>;

/**
 * The node and the programs. A launchpad's service names the program that the wallet calls, so its first answer is stored
 * and another one is refused. Options win over variables, and both over what the launchpad's service tells.
 */
async function clusterOf(options: Options, terminal: Terminal): Promise<Cluster> {
  const launchpadUrl = urlOf(options, terminal, { option: 'launchpad', variable: 'LAUNCHPAD_URL' });
  const rpcUrl = urlOf(options, terminal, { option: 'rpcUrl', variable: 'RPC_URL' });
  const own = deploymentOf(options, terminal);
  const named = textOf(options, 'program');
  const program = named === undefined ? undefined : address('--program', named);
  const { wsEndpoint } = wsEndpointOf(options, terminal);
  if (launchpadUrl === undefined || (rpcUrl !== undefined && own !== undefined)) {
    if (rpcUrl === undefined)
      throw new UsageError(
        '--launchpad',
        'is missing; give the URL of the launchpad’s service (or set LAUNCHPAD_URL), or an RPC node with --rpc-url',
      );
    const connection = new Connection(rpcUrl, {
      commitment: 'confirmed',
      ...(wsEndpoint && { wsEndpoint }),
      fetch: fetchWithReason,
    });
    requireProgram(program, own ?? DEFAULT_DEPLOYMENT);
    return { connection, deployment: own ?? DEFAULT_DEPLOYMENT, launchpadUrl };
  }
  const { stopped: signal } = terminal;
  const { connection, deployment } = await connectLaunchpad(launchpadUrl, {
    ...{ rpcUrl, wsUrl: wsEndpoint, signal, retries: 0, timeoutMs: LAUNCHPAD_TIMEOUT_MS },
    programId: own === undefined ? program : undefined,
  });
  // Without a deployment of the user's own, the service decides which program is called.
  if (own === undefined) keepProgram(terminal, launchpadUrl, deployment.programId, program !== undefined);
  else requireProgram(program, own);
  return { connection, deployment: own ?? deployment, launchpadUrl };
}

/** web3.js keeps of an error its message alone, and that of Node's `fetch` has no reason. */
async function fetchWithReason(...args: Parameters<typeof fetch>): Promise<Response> {
  try {
    return await fetch(...args);
  } catch (error) {
    const { message, cause } = error as Error;
    throw cause instanceof Error ? new TypeError(`${message} (${cause.message})`, { cause }) : error;
  }
}

function requireProgram(program: PublicKey | undefined, { programId }: Deployment): void {
  if (program === undefined || program.equals(programId)) return;
  const problem = `is ${program.toBase58()}; the deployment's program is ${programId.toBase58()}`;
  throw new UsageError('--program', problem);
}

function deploymentOf(options: Options, { environment }: Terminal): Deployment | undefined {
  const given = textOf(options, 'deployment');
  if (given !== undefined) return readDeployment('--deployment', given);
  const { CURVEKIT_DEPLOYMENT: named } = environment;
  return named ? readDeployment('CURVEKIT_DEPLOYMENT', named) : undefined;
}

function urlOf(
  options: Options,
  { environment }: Terminal,
  { option, variable }: { readonly option: string; readonly variable: string },
): string | undefined {
  const given = textOf(options, option);
  if (given !== undefined) return url(option === 'rpcUrl' ? '--rpc-url' : `--${option}`, given);
  const ofEnvironment = environment[variable];
  return ofEnvironment ? url(variable, ofEnvironment) : undefined;
}

/** The URL that `--service` names, or else the launchpad's. */
export function serviceOf({ options, launchpadUrl }: Session): string | undefined {
  const given = textOf(options, 'service');
  return given === undefined ? launchpadUrl : url('--service', given);
}

function wsEndpointOf(options: Options, { environment }: Terminal): { readonly wsEndpoint?: string } {
  const schemes = ['ws:', 'wss:'];
  const given = textOf(options, 'wsUrl');
  if (given !== undefined) return { wsEndpoint: url('--ws-url', given, schemes) };
  const ofEnvironment = environment['WS_URL'];
  // With --rpc-url, WS_URL could belong to another node, so ignore it.
  if (!ofEnvironment || options['rpcUrl'] !== undefined) return {};
  return { wsEndpoint: url('WS_URL', ofEnvironment, schemes) };
}

/** The options that name the launchpad and its node, as they were given. */
export function clusterOptions(options: Options): string[] {
  const names = {
    launchpad: 'launchpad',
    rpcUrl: 'rpc-url',
    wsUrl: 'ws-url',
    deployment: 'deployment',
    program: 'program',
  };
  return Object.entries(names).flatMap(([name, option]) => {
    const given = textOf(options, name);
    return given === undefined ? [] : [`--${option}`, given];
  });
}

/** Adds the option for the wallet's key. */
export function withKeypair(command: Command): Command {
  return command.option(
    '--keypair <file>',
    "the wallet's key, as `solana-keygen new` writes it; or the variable KEYPAIR (default: ~/.config/solana/id.json)",
  );
}

/** The file of the wallet's key, if one is named. */
export function keyFileOf({ options, terminal: { environment } }: Session): string | undefined {
  return textOf(options, 'keypair') ?? (environment['KEYPAIR'] || undefined);
}

export function keypairOf({ options, terminal: { environment } }: Session): Keypair {
  const given = textOf(options, 'keypair');
  if (given !== undefined) return readKeypair('--keypair', given);
  const ofEnvironment = environment['KEYPAIR'];
  if (ofEnvironment) return readKeypair('KEYPAIR', ofEnvironment);
  const usual = `${environment['HOME'] ?? ''}/.config/solana/id.json`;
  if (!existsSync(usual))
    throw new UsageError(
      '--keypair',
      `is missing, and there is no ${usual}; name a key file (or set KEYPAIR), or make one with \`solana-keygen new\``,
    );
  return readKeypair('--keypair', usual);
}

export function withWallet(command: Command): Command {
  return withKeypair(command.option('--wallet <address>', 'a wallet without its key; --keypair else'));
}

export function walletOf(session: Session): PublicKey {
  const given = textOf(session.options, 'wallet');
  return given === undefined ? keypairOf(session).publicKey : address('--wallet', given);
}

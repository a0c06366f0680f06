// After a deployment: sets the properties, verifies what is on chain, prints it. Run by `anchor migrate` or by itself.
import { pathToFileURL } from 'node:url';
import { Connection } from '@solana/web3.js';
import { runCommand } from '../scripts/command-line.js';
import { renderTable, showsColour } from '#app/operator/table.js';
import { completeDeployment, type DeployReport } from './deployment.js';
import { HELP, parseCommandLine } from './settings.js';

async function main(args: readonly string[]): Promise<void> {
  const commandLine = parseCommandLine(args, process.env);
  if (commandLine === undefined) {
    console.log(HELP);
    return;
  }
  const { url, admin, json } = commandLine;
  const report = await completeDeployment(new Connection(url, 'confirmed'), admin, commandLine);
  console.log(json ? JSON.stringify({ url, ...report }, null, 2) : textOf(url, report));
  if (!report.ok) process.exitCode = 1;
}

function textOf(url: string, { findings, ok }: DeployReport): string {
  const rows = findings.map(({ what, found, problem }) => ({
    cells: [what, problem === undefined ? found : `${found}\n${problem}`],
    style: problem === undefined ? undefined : ('red' as const),
  }));
  const table = renderTable(['what', `on ${url}`], rows, showsColour(process.stdout));
  return `${table}\n\n${ok ? 'all as it must be' : 'NOT as it must be'}`;
}

/** The little of Anchor's provider that is needed: `anchor migrate` passes one. */
interface Provider {
  readonly connection: { readonly rpcEndpoint: string };
}

/** What `anchor migrate` calls. The wallet is in ANCHOR_WALLET. */
function migrate({ connection }: Provider): void {
  runCommand(HELP, () => main(['--url', connection.rpcEndpoint]));
}

const isRunByItself = import.meta.url === pathToFileURL(process.argv[1] ?? '').href;
if (isRunByItself) runCommand(HELP, () => main(process.argv.slice(2)));

// `anchor migrate` loads this file with `require` and calls what it gets.
if (typeof module !== 'undefined') module.exports = migrate;

// `curvekit doctor` on a cluster with one token, and a wallet with rewards of 7 SOL.
import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import type { Token } from '#tests/program/tokens.js';
import type { Cli } from './cli.js';
import { indexToken, storeClaim, useCli } from './cli-cluster.js';

export interface Finding {
  readonly subject: string;
  readonly state: string;
  readonly detail: string;
  readonly fix?: string;
  readonly runbook?: string;
}

export interface DoctorDocument {
  readonly findings: readonly Finding[];
}

/** What doctor finds. Each finding but a good one links its paragraph of the runbook. */
export async function findingsOf(
  cli: Cli,
  environment: Record<string, string> = {},
): Promise<readonly Finding[]> {
  const { out } = await cli.run(['doctor', '--json'], environment);
  const { findings } = JSON.parse(out) as DoctorDocument;
  for (const { state, detail, runbook } of findings)
    expect(/^docs\/recover\.md#\w+$/.test(runbook ?? ''), detail).to.equal(state !== 'ok');
  return findings;
}

/** One cluster, command line and treasury for all tests of the surrounding `describe`. */
export function useDoctor() {
  const { cluster, cli } = useCli({ isKeyHeld: true });
  const treasury = Keypair.generate();
  let token: Token;

  before('index a token', async () => {
    token = await indexToken(cluster(), cli());
    await storeClaim(cli(), token, 'S1gnature');
  });

  const findings = (environment?: Record<string, string>) => findingsOf(cli(), environment);
  const stateOf = async (subject: string, environment: Record<string, string>) =>
    (await findings(environment)).filter((finding) => finding.subject === subject);

  return { cluster, cli, token: () => token, treasury, findings, stateOf };
}

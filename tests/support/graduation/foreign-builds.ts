// The original binaries of the AMM, which are not in the repository.
import { existsSync } from 'node:fs';
import { AMM_VERSIONS, AmmUnavailableError, ensureAmmProgram } from '@curvekit/testing';

export interface AmmBuild {
  readonly name: string;
  readonly so: string;
  /** Whether it has creator fees: builds before 2025-12 do not. */
  readonly creatorFees: boolean;
}

/** An unreachable URL, because tests must not download anything. */
const NOWHERE = 'http://127.0.0.1:9';
const WITHOUT_CREATOR_FEES = '2025-02';

/** The known builds in the cache, and the one that CURVEKIT_CPMM_SO names. */
async function findBuilds(): Promise<AmmBuild[]> {
  const builds: AmmBuild[] = [];
  for (const version of AMM_VERSIONS) {
    const found = await ensureAmmProgram({ version, rpcUrl: NOWHERE }).catch((error: unknown) => {
      if (error instanceof AmmUnavailableError) return undefined;
      throw error;
    });
    const creatorFees = version !== WITHOUT_CREATOR_FEES;
    if (found !== undefined) builds.push({ name: version, so: found.path, creatorFees });
  }
  const named = process.env['CURVEKIT_CPMM_SO'] ?? '';
  if (named === '' || !existsSync(named)) return builds;
  const { path, version, sha256 } = await ensureAmmProgram();
  const isKnown = version !== undefined && builds.some(({ name }) => name === version);
  const creatorFees = version !== WITHOUT_CREATOR_FEES;
  return isKnown ? builds : [...builds, { name: version ?? sha256.slice(0, 8), so: path, creatorFees }];
}

/** The available original binaries of the AMM. */
export const FOREIGN_BUILDS: readonly AmmBuild[] = await findBuilds();

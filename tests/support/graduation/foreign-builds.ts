// Raydium's own builds of the AMM, which are not in the repository.
import { AMM_VERSIONS, AmmUnavailableError, ensureAmmProgram } from '@curvekit/testing';

export interface AmmBuild {
  readonly name: string;
  readonly so: string;
  /** Whether it has creator fees: builds before 2025-12 do not. */
  readonly creatorFees: boolean;
}

const WITHOUT_CREATOR_FEES = '2025-02';

/** The build of a version that is in the cache, or without `version` the one that CURVEKIT_CPMM_SO names. */
async function findBuild(version?: string): Promise<AmmBuild | undefined> {
  try {
    // Tests must not download anything.
    const found = await ensureAmmProgram({ version, fetch: 'never' });
    const name = found.version!;
    return { name, so: found.path, creatorFees: name !== WITHOUT_CREATOR_FEES };
  } catch (error) {
    if (error instanceof AmmUnavailableError && !error.isNamedFile) return undefined;
    throw error;
  }
}

async function findBuilds(): Promise<AmmBuild[]> {
  const found = await Promise.all([...AMM_VERSIONS, undefined].map(findBuild));
  const builds = found.filter((build) => build !== undefined);
  return builds.filter(({ name }, index) => builds.findIndex((other) => other.name === name) === index);
}

/** The available builds of Raydium, each version once. */
export const FOREIGN_BUILDS: readonly AmmBuild[] = await findBuilds();

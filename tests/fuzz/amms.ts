// The AMMs on which pools open: Raydium's builds where they are in the cache, our stand-in, and one that cheats.
import { AMM_BUILDS } from '#tests/graduation/amm-builds.js';
import { CHEATING_AMM } from '../../scripts/program/paths.js';

/** Files, the cheating AMM last. */
export function ammFiles(): readonly string[] {
  return [...AMM_BUILDS.map(({ so }) => so), CHEATING_AMM];
}

/** What a local cluster needs to have the AMM. */
export { FIXTURE as AMM_FIXTURE } from './raydium-cpmm/fixture.js';

import type { Command } from 'commander';
import type { MAX_PLATFORM_FEE_BPS } from '@curvekit/sdk';
import { work, type Registration } from '../command.js';
import { signedByAdmin } from '../admin-option.js';
import { solAmount, tokenAmount, wholeNumber } from '../values.js';

// The type compares it with the SDK's, without importing the SDK, so that help starts fast.
const MAX_FEE_BPS: typeof MAX_PLATFORM_FEE_BPS = 1_000;

const load = () => import('../work/properties.js');

export function registerProperties(program: Command, registration: Registration): void {
  const group = program.command('properties').description("the launchpad's settings on chain");
  const show = group.command('show').description('the current settings');
  work(show, registration, async () => (await load()).runPropertiesShow);

  const set = signedByAdmin(
    group
      .command('set')
      .description(
        'change the settings; omitted ones stay. Reserves apply to new tokens only, the fee to every curve at once',
      ),
  )
    .option('--virtual-sol <sol>', 'virtual SOL reserve of new curves', solAmount)
    .option('--virtual-token <tokens>', 'virtual token reserve of new curves', tokenAmount)
    .option(
      '--fee-bps <bps>',
      `platform fee in basis points, at most ${MAX_FEE_BPS}`,
      wholeNumber(0, MAX_FEE_BPS),
    );
  work(set, registration, async () => (await load()).runPropertiesSet);
}

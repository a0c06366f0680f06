// @curvekit/sdk/kit as it is built, on each major of @solana/kit that the package allows.
import type * as kit from '@curvekit/sdk/kit';
import { fileURLToPath } from 'node:url';
import { kitBuild } from '../../../sdk/kit-build.js';
import { importBundled } from './bundled.js';

const ENTRY = fileURLToPath(new URL('../../../sdk/src/kit-entry.ts', import.meta.url));

export type KitEntry = typeof kit;

/** The major before, and the current one, by the names that package.json gives them. */
export const KIT_MAJORS = ['@solana/kit', 'kit-current'] as const;

export async function kitEntry(major: (typeof KIT_MAJORS)[number]): Promise<KitEntry> {
  const alias = major === '@solana/kit' ? {} : { '@solana/kit': major };
  return (await importBundled(() => ENTRY, { plugins: [kitBuild()], external: [major], alias })) as KitEntry;
}

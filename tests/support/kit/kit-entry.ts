// The built entries @curvekit/sdk/kit and below, with each major version of @solana/kit that the package
// allows.
import type * as kit from '@curvekit/sdk/kit';
import type * as kitFeedTypes from '@curvekit/sdk/kit/feed';
import type * as kitLaunchpadTypes from '@curvekit/sdk/kit/launchpad';
import type * as kitTrade from '@curvekit/sdk/kit/trade';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { kitChain } from '../../../sdk/kit-build.js';
import { temporaryFolder } from '#tests/process/temporary-folder.js';

const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url));
const sources = (name: string) => fileURLToPath(new URL(`../../../sdk/src/${name}`, import.meta.url));
const ENTRY = sources('kit/index.ts');
const FEED_ENTRY = sources('kit/feed/index.ts');
const LAUNCHPAD_ENTRY = sources('kit/launchpad/index.ts');
const TRADE_ENTRY = sources('kit/trade/index.ts');

export type KitEntry = typeof kit;
export type KitTrading = KitEntry & typeof kitTrade;
export type KitFeed = KitEntry & typeof kitFeedTypes;

export type KitLaunchpad = typeof kitTrade & typeof kitLaunchpadTypes;

/** The previous major and the current one, by their names in package.json. */
export const KIT_MAJORS = ['@solana/kit', 'kit-current'] as const;
export type KitMajor = (typeof KIT_MAJORS)[number];

export async function kitEntry(major: KitMajor): Promise<KitEntry> {
  return (await bundled(() => ENTRY, major)) as KitEntry;
}

export async function kitTrading(major: KitMajor): Promise<KitTrading> {
  return (await bundled(withEntries(ENTRY, TRADE_ENTRY), major)) as KitTrading;
}

export async function kitFeed(major: KitMajor): Promise<KitFeed> {
  return (await bundled(withEntries(ENTRY, FEED_ENTRY), major)) as KitFeed;
}

export async function kitLaunchpad(major: KitMajor): Promise<KitLaunchpad> {
  return (await bundled(withEntries(LAUNCHPAD_ENTRY, TRADE_ENTRY), major)) as KitLaunchpad;
}

/** Writes a module that exports several entries. */
function withEntries(...entries: readonly string[]) {
  return async (folder: string) => {
    const file = join(folder, 'both.ts');
    const exports = entries.map((path) => `export * from ${JSON.stringify(path)};\n`);
    await writeFile(file, exports.join(''));
    return file;
  };
}

/** Loads a module as an application does: bundled, in a folder with access to this repository's packages. */
async function bundled(
  entry: (folder: string) => string | Promise<string>,
  major: KitMajor,
): Promise<unknown> {
  const folder = temporaryFolder('bundle');
  await symlink(MODULES, join(folder, 'node_modules'));
  const outfile = join(folder, 'bundle.mjs');
  await build({
    entryPoints: [await entry(folder)],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'silent',
    plugins: [kitChain],
    external: [major],
    alias: major === '@solana/kit' ? {} : { '@solana/kit': major },
  });
  return await import(pathToFileURL(outfile).href);
}

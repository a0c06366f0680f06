import { createRequire } from 'node:module';
import { ClusterStartError } from './errors.js';

const PLATFORM_PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': '@solana/surfpool-linux-x64-gnu',
  'darwin-arm64': '@solana/surfpool-darwin-arm64',
  'darwin-x64': '@solana/surfpool-darwin-x64',
};

/** What an operator can do where Surfpool does not run. */
export const INSTEAD = "choose another cluster: `--cluster validator` (backend: 'validator') or an RPC URL";

/**
 * Path of the Surfpool addon for this platform, from its optional dependency.
 *
 * @param platform Node's names for system and processor, such as `linux-x64`.
 * @throws ClusterStartError when there is no package for this platform, or it is not installed. The message names the
 *   package and an alternative.
 */
export function findSurfpool(platform = `${process.platform}-${process.arch}`): string {
  const name = PLATFORM_PACKAGES[platform];
  if (name === undefined) {
    const known = Object.keys(PLATFORM_PACKAGES).join(', ');
    throw new ClusterStartError(`Surfpool has no package for ${platform} (only for ${known}); ${INSTEAD}`);
  }
  try {
    return createRequire(import.meta.url).resolve(name);
  } catch (cause) {
    throw new ClusterStartError(
      `Surfpool's package ${name} is not installed; install it (\`npm install ${name}\`), or ${INSTEAD}`,
      { cause },
    );
  }
}

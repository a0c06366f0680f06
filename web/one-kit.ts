// npm gives each package of Kit a copy of Kit's codecs and errors, because an older one stands at the root. The page takes Kit's.
import type { Plugin } from 'vite';

const COPIED = /^@solana\/(codecs-|errors)/;
const OWNER = /\/@solana\/[\w-]+(?=\/node_modules\/@solana\/)/;

export function oneKit(): Plugin {
  return {
    name: 'curvekit:one-kit',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      if (!COPIED.test(source)) return undefined;
      const found = await this.resolve(source, importer, { ...options, skipSelf: true });
      return found?.id.replace(OWNER, '/@solana/kit');
    },
  };
}

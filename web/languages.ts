// One build for each language: `vite build`, and `vite build --mode zh` after it. The words of a translation take the place of
// the English ones. See docs/decisions/languages.md.
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { LANGUAGES } from './src/languages.js';

const WORDS = fileURLToPath(new URL('./src/words/', import.meta.url));
const isTranslated = (mode: string) => mode !== 'en' && mode in LANGUAGES;

/** Build options of a translation: its files join those of the build before it. */
export const ofLanguage = (mode: string) =>
  isTranslated(mode)
    ? { manifest: `${mode}/.vite/manifest.json`, emptyOutDir: false, copyPublicDir: false }
    : { manifest: true };

export function wordsIn(mode: string): Plugin {
  return {
    name: 'curvekit:words',
    enforce: 'pre',
    load(id) {
      if (!isTranslated(mode) || id !== WORDS + basename(id)) return undefined;
      const translation = `${WORDS}${mode}/${basename(id)}`;
      return existsSync(translation) ? readFileSync(translation, 'utf8') : undefined;
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const index = bundle['index.html'];
        if (!isTranslated(mode) || index?.type !== 'asset') return;
        delete bundle['index.html'];
        const source = String(index.source).replace('<html lang="en"', `<html lang="${mode}"`);
        this.emitFile({ type: 'asset', fileName: `${mode}/index.html`, source });
      },
    },
  };
}

// The built web page, read once: a build under a running service cannot mix its files with older ones.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the repository's page is built. */
export const DEFAULT_FOLDER = fileURLToPath(new URL('../../../web/dist', import.meta.url));

/** One file as it is sent. */
export interface PageFile {
  /** As `Content-Type` names it by: `.js`. */
  readonly extension: string;
  readonly bytes: Buffer;
  /** Compressed when the page was built; undefined where that saves nothing. */
  readonly br: Buffer | undefined;
  readonly gzip: Buffer | undefined;
  readonly etag: string;
  /** Its name has a hash of its content. */
  readonly isImmutable: boolean;
}

export interface BuiltPage {
  readonly html: string;
  /** By path: `/assets/main-1a2b3c.js`. */
  readonly files: ReadonlyMap<string, PageFile>;
  readonly manifest: Manifest;
}

/** Vite's list of what was built, by source file. */
export type Manifest = Readonly<
  Record<string, { readonly file: string; readonly imports?: readonly string[] }>
>;

const COMPRESSED = new Set(['.br', '.gz']);

/** Reads a built page; undefined where there is none. @throws when a file of it cannot be read */
export function readBuiltPage(folder: string): BuiltPage | undefined {
  const index = join(folder, 'index.html');
  if (!existsSync(index)) return undefined;
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).split(sep).join('/'))
    // Of the build's own notes nobody needs anything.
    .filter((path) => !path.startsWith('/.') && path !== '/index.html');
  const read = (path: string) => readFileSync(join(folder, path));
  const files = new Map<string, PageFile>();
  for (const path of paths) {
    if (COMPRESSED.has(extname(path))) continue;
    const bytes = read(path);
    files.set(path, {
      extension: extname(path),
      bytes,
      br: paths.includes(`${path}.br`) ? read(`${path}.br`) : undefined,
      gzip: paths.includes(`${path}.gz`) ? read(`${path}.gz`) : undefined,
      etag: etagOf(bytes),
      isImmutable: path.startsWith('/assets/'),
    });
  }
  const manifest = join(folder, '.vite/manifest.json');
  return {
    html: readFileSync(index, 'utf8'),
    files,
    manifest: existsSync(manifest) ? (JSON.parse(readFileSync(manifest, 'utf8')) as Manifest) : {},
  };
}

/** The same for every encoding of the content, so it is a weak one. */
export function etagOf(content: string | Uint8Array): string {
  return `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
}

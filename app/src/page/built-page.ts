// The built web page, read once at the start, so that a new build cannot mix its files with older ones.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LANGUAGE_CODES, type Language } from '../../../web/src/languages.js';

export const DEFAULT_FOLDER = fileURLToPath(new URL('../../../web/dist', import.meta.url));

export interface PageFile {
  /** The file extension, such as `.js`, for `Content-Type`. */
  readonly extension: string;
  readonly bytes: Buffer;
  /** Compressed by the build; undefined if that saves nothing. */
  readonly br: Buffer | undefined;
  readonly gzip: Buffer | undefined;
  readonly etag: string;
  /** Whether its name contains a hash of its content. */
  readonly isImmutable: boolean;
}

export interface BuiltPage {
  /** An own page of the operator (`WEB_FOLDER`) may have one language. */
  readonly documents: ReadonlyMap<Language, PageDocument>;
  /** Of all languages, by path: `/assets/main-1a2b3c.js`. */
  readonly files: ReadonlyMap<string, PageFile>;
}

interface PageDocument {
  readonly html: string;
  /** Of the styles in it, as the security policy names them. */
  readonly styleHash: string | undefined;
  readonly manifest: Manifest;
}

/** Vite's manifest: the built files by source file. */
export type Manifest = Readonly<
  Record<string, { readonly file: string; readonly imports?: readonly string[] }>
>;

const INDEX = '/index.html';
const COMPRESSED = new Set(['.br', '.gz']);

/** Reads a built page; undefined if the folder has none. @throws when a file cannot be read */
export function readBuiltPage(folder: string): BuiltPage | undefined {
  if (!existsSync(join(folder, INDEX))) return undefined;
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).split(sep).join('/'))
    // Excludes the build's own files, such as the manifest.
    .filter((path) => !path.includes('/.') && !path.endsWith(INDEX));
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
  const documents = LANGUAGE_CODES.map((code) => [code, code === 'en' ? folder : join(folder, code)] as const)
    .filter(([, path]) => existsSync(join(path, INDEX)))
    .map(([code, path]) => [code, documentIn(path, folder)] as const);
  return { documents: new Map(documents), files };
}

/** Puts the styles into the document: the first paint need not wait for a second answer, which takes half a second on a slow phone. */
function withStyles(html: string, root: string): Pick<PageDocument, 'html' | 'styleHash'> {
  let styleHash: string | undefined;
  const whole = html.replace(/<link rel="stylesheet"[^>]* href="([^"]+)">/, (_link, href: string) => {
    const styles = readFileSync(join(root, href), 'utf8');
    styleHash = `'sha256-${createHash('sha256').update(styles).digest('base64')}'`;
    return `<style>${styles}</style>`;
  });
  return { html: whole, styleHash };
}

function documentIn(folder: string, root: string): PageDocument {
  const manifest = join(folder, '.vite/manifest.json');
  return {
    ...withStyles(readFileSync(join(folder, INDEX), 'utf8'), root),
    manifest: existsSync(manifest) ? (JSON.parse(readFileSync(manifest, 'utf8')) as Manifest) : {},
  };
}

/** A weak ETag, because it is the same for every content encoding. */
export function etagOf(content: string | Uint8Array): string {
  return `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
}

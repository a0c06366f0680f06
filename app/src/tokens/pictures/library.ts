// Pictures and metadata by the hash of their content. The store has the files, and a table lists them.
import { createHash } from 'node:crypto';
import { inArray, sql } from 'drizzle-orm';
import { column } from '../../db/statements.js';
import { BatchLoader } from '../../db/batch-loader.js';
import { statement, type Database } from '../../db/database.js';
import { storedFiles } from '../../db/schema/index.js';
import type { FileStore } from './store.js';
import type { Context } from '../../context.js';
import { repeatedJob, type Job } from '../../db/jobs/leader-job.js';

export type FileKind = (typeof storedFiles.$inferSelect)['kind'];

const EXTENSIONS: Readonly<Record<FileKind, string>> = { picture: 'webp', document: 'json' };
/** Maximum files removed in one transaction. */
const SWEPT_AT_ONCE = 100;

type ShownFile = { readonly bytes: number; readonly hidden: boolean };

export class Library {
  /** Many files are asked for at once: one query finds all of them, and leaves the other connections to others. */
  readonly #shown: Readonly<Record<FileKind, BatchLoader<ShownFile>>> = {
    picture: new BatchLoader((hashes) => this.#sizesOf('picture', hashes)),
    document: new BatchLoader((hashes) => this.#sizesOf('document', hashes)),
  };

  constructor(
    private readonly database: Database,
    private readonly store: FileStore,
  ) {}

  /**
   * Stores a file for at least a day. @param database the leader's connection when a leader's job calls this @returns the
   * file's hash
   */
  async keep(kind: FileKind, bytes: Uint8Array, database = this.database): Promise<string> {
    const hash = createHash('sha256').update(bytes).digest('hex');
    await database.transaction(async (tx) => {
      // The row is locked first, so that a concurrent removal cannot delete the file written here.
      await tx
        .insert(storedFiles)
        .values({ hash, kind, bytes: bytes.length })
        .onConflictDoUpdate({ target: storedFiles.hash, set: { storedAt: sql`now()` } });
      await this.store.write(nameOf(kind, hash), bytes);
    });
    return hash;
  }

  /** Undefined when the file does not exist. */
  read(kind: FileKind, hash: string): Promise<Buffer | undefined> {
    return this.store.read(nameOf(kind, hash));
  }

  /**
   * Reads a file for the public. Also undefined when all tokens with this file are hidden.
   *
   * @param onSize called with its bytes before it is read; it may throw
   */
  async readShown(
    kind: FileKind,
    hash: string,
    onSize: (bytes: number) => void = () => undefined,
  ): Promise<Buffer | undefined> {
    const found = await this.#shown[kind].get(hash);
    if (found === undefined || found.hidden) return undefined;
    onSize(found.bytes);
    return this.read(kind, hash);
  }

  async #sizesOf(kind: FileKind, hashes: readonly string[]): Promise<Map<string, ShownFile>> {
    const rows = await statement<ShownFile & { hash: string }>(this.database.queries)`
      select hash, bytes, coalesce((
        select bool_and(hidden_tokens.mint is not null)
        from token_metadata left join hidden_tokens using (mint)
        where token_metadata.${sql.identifier(kind)} = stored_files.hash
      ), false) as hidden
      from stored_files where hash = any(${column(hashes, 'text')}) and kind = ${kind}`;
    return new Map(rows.map(({ hash, ...file }) => [hash, file]));
  }

  /** Removes files older than a day that no token uses. @returns how many */
  async sweep(database = this.database): Promise<number> {
    return database.transaction(async (tx) => {
      const old = await statement<{ hash: string; kind: FileKind }>(tx)`
        select hash, kind from stored_files
        where stored_at < now() - interval '1 day'
          and not exists (select from token_metadata where picture = stored_files.hash)
          and not exists (select from token_metadata where document = stored_files.hash)
        order by stored_at limit ${SWEPT_AT_ONCE} for update of stored_files`;
      if (old.length === 0) return 0;
      await Promise.all(old.map(({ kind, hash }) => this.store.remove(nameOf(kind, hash))));
      const hashes = old.map(({ hash }) => hash);
      await tx.delete(storedFiles).where(inArray(storedFiles.hash, hashes));
      return old.length;
    });
  }
}

function nameOf(kind: FileKind, hash: string): string {
  return `${hash}.${EXTENSIONS[kind]}`;
}

const INTERVAL_MS = 600_000;

/** Removes files that no token uses. */
export const createSweeper = (library: Library, context: Context): Job =>
  repeatedJob('unused-files', context, INTERVAL_MS, async (leading, step, signal) => {
    while ((await step(() => library.sweep(leading))) > 0) signal.throwIfAborted();
  });

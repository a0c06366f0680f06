import type { openDatabase } from '../db/database.js';

/** Streams of a command: a real terminal, or a test. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly openDatabase: typeof openDatabase;
  /** Whether `out` shows colour. */
  readonly colour: boolean;
}

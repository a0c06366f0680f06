import type { Command } from 'commander';
import { work, type Registration, type Invocation, type Result } from '../command.js';
import { reindex } from '../../index/store/state.js';
import { appendReset } from '../../market/stream/outbox.js';
import { withDatabase } from '../session.js';

export function register(command: Command, registration: Registration): void {
  work(command, registration, runReindex);
}

async function runReindex({ terminal }: Invocation<object>): Promise<Result> {
  await withDatabase(terminal, async (database) => {
    await reindex(database);
    // Open pages must reload their data: the rows get new ids.
    await database.transaction(appendReset);
  });
  return {
    document: { reindexing: true },
    text: "Deleted. The service's indexer reads the chain again; `/ready` says when it has finished.",
  };
}

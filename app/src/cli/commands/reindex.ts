import type { Command } from 'commander';
import { reindex } from '../../indexer/reindex.js';
import { appendReset } from '../../market/stream/outbox.js';
import { work, type Registration } from '../command.js';
import { withDatabase } from '../database.js';

export function registerReindex(program: Command, registration: Registration): void {
  const command = program
    .command('reindex')
    .description(
      'delete everything derived from the chain, so that the service reads it again; rewards, claims and partners stay',
    );
  work(command, registration, async ({ terminal }) => {
    await withDatabase(terminal, async (database) => {
      await reindex(database);
      // Open pages must reload their data: the rows get new ids.
      await database.transaction(appendReset);
    });
    return {
      document: { reindexing: true },
      text: "Deleted. The service's indexer reads the chain again; `/ready` says when it has finished.",
    };
  });
}

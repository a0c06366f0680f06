import type { Command } from 'commander';
import { reindex } from '../../indexer/reindex.js';
import { work, type Registration } from '../command.js';
import { withDatabase } from '../database.js';

/** `reindex` */
export function registerReindex(program: Command, registration: Registration): void {
  const command = program
    .command('reindex')
    .description(
      'forget what was derived from the chain, to be read anew by the running service, or by the next; rewards, claims and partners stay',
    );
  work(command, registration, async ({ terminal }) => {
    await withDatabase(terminal, reindex);
    return {
      document: { reindexing: true },
      text: "Forgotten. The service's indexer reads the chain anew; `/ready` says when it is through.",
    };
  });
}

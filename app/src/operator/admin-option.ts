import { Option, type Command } from 'commander';
import { key } from './values.js';
import type { SignerUrl } from '../keys/signer-url.js';

export interface AdminOptions {
  /** Secret key, or where it is; undefined with `--propose`. */
  readonly admin?: Uint8Array | SignerUrl;
}

/** Adds `--admin` and `--propose`, of which one must be given. */
export function signedByAdmin(command: Command): Command {
  return command
    .option(
      '--admin <key>',
      "the key of the program's admin, who signs and pays: a keypair file or the URL of a signer",
      key,
    )
    .addOption(
      new Option(
        '--propose',
        'send nothing, and print what the admin (ADMIN_ADDRESS) must sign, to propose it in a multisig',
      ).conflicts('admin'),
    )
    .hook('preAction', (_, run) => {
      const { admin, propose } = run.opts<{ readonly admin?: unknown; readonly propose?: boolean }>();
      if (admin === undefined && propose !== true)
        run.error("error: give '--admin <key>', or '--propose' to print what a multisig must sign");
    });
}

// The service of `npm run dev`. It is started again after each change of a source; its database remains.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Keypair } from '@solana/web3.js';
import { readConfig } from '#app/config/config.js';
import { localWallet, addPartner, writeShellFile } from '#app/operator/local/launchpad.js';
import { startService } from '#app/service.js';
import { untilSignal } from '#app/base/process.js';

/** What `main.ts` tells this process, as JSON in the variable `DEVELOPMENT`. */
export interface Development {
  readonly folder: string;
  /** A token on its curve. */
  readonly mint: string;
  /** Secret keys of the users whom the partner registers. */
  readonly users: readonly (readonly number[])[];
}

/** The line that this process prints when it is ready. */
export const READY = /^dev: service ready: /;

if (process.env['DEVELOPMENT'] !== undefined)
  await serve(JSON.parse(process.env['DEVELOPMENT']) as Development);

async function serve({ folder, mint, users }: Development): Promise<void> {
  const stopped = untilSignal();
  const service = await startService(readConfig(process.env));
  const [wallet, payoutWallet] = [
    await localWallet(folder, 'wallet'),
    await localWallet(folder, 'payout-wallet'),
  ];
  if (!existsSync(join(folder, 'env'))) {
    const registered = users.map((secret) => Keypair.fromSecretKey(Uint8Array.from(secret)));
    const { key } = await addPartner(service, payoutWallet.keypair, registered);
    await writeShellFile(folder, {
      LAUNCHPAD_URL: service.url,
      KEYPAIR: wallet.file,
      WALLET: wallet.keypair.publicKey.toBase58(),
      PAYOUT_KEYPAIR: payoutWallet.file,
      API_KEY: key,
      MINT: mint,
      RPC_URL: process.env['RPC_URL']!,
      WS_URL: process.env['WS_URL']!,
    });
  }
  console.log(`dev: service ready: ${service.url}`);
  await stopped;
  await service.stop();
}

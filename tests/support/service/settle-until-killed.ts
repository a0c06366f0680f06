// A process that settles or migrates one token and kills itself as soon as a step is complete:
// `settle-until-killed.ts settle|migrate MINT STEP`. The service's own variables configure it.
import { PublicKey } from '@solana/web3.js';
import { readConfig } from '#app/config/config.js';
import { createContext } from '#app/context.js';
import { settleOne, migrateToken } from './paying.js';

const [work, mint = '', lastStep] = process.argv.slice(2);
const context = await createContext(readConfig(process.env));
const options = {
  signal: new AbortController().signal,
  afterStep: (step: string) => {
    if (step === lastStep) process.kill(process.pid, 'SIGKILL');
  },
};
if (work === 'migrate') await migrateToken(context, new PublicKey(mint), options);
else await settleOne(context, mint, options);
await context.database.close();

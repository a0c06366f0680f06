// Appended to the snippets of sdk/README.md: calls what they define, on the launchpad of `npm start`. The types are any,
// because the snippets' own types are checked by tests/repository/readme.test.ts.
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/* oxlint-disable typescript/no-explicit-any, typescript/no-unsafe-call, typescript/no-unsafe-assignment, typescript/no-unsafe-member-access, typescript/no-unsafe-argument */
declare const connection: any, deployment: any, items: readonly unknown[], PublicKey: any, Keypair: any;
declare const buyOneSolWorth: any, launchAndTrade: any, launchToken: any, sellAnywhere: any, whatNow: any;
declare const explain: any,
  follow: any,
  watch: any,
  streamSource: any,
  buyThere: any,
  claimTokens: any,
  refer: any;
declare const launchAndTradeWithKit: any, buyInstructions: any, watchWithKit: any;
declare const claimSolWithKit: any, vanityMintWithKit: any;

const { keypairWallet: walletOf } = await import('@curvekit/sdk');
const { createKeyPairSignerFromBytes } = await import('@solana/kit');
const secret = (variable: string) =>
  Uint8Array.from(JSON.parse(readFileSync(process.env[variable]!, 'utf8')) as number[]);

assert.equal(items.length >= 3, true);
const keypair = Keypair.fromSecretKey(secret('KEYPAIR'));
const { solAmount, networkFee } = await launchAndTrade(connection, keypair);
assert.equal(solAmount > 0n && networkFee > 0n, true);

// In the clone, whose key file is in .curvekit/local.
const docs = join(dirname(process.env['KEYPAIR']!), '..', '..', 'docs');
const picture = new Blob([readFileSync(join(docs, 'token.png'))], { type: 'image/png' });
const { signature } = await launchToken(connection, keypair, picture, () =>
  Promise.resolve('https://example.org/curvy'),
);
assert.match(signature, /^\w{80,}$/);
// A token of our own, whose price nobody else moves.
const { launch: launchOne } = await import('@curvekit/sdk/trade');
const own = await launchOne(connection, {
  wallet: keypair,
  name: 'Own',
  symbol: 'OWN',
  uri: 'https://example.org/own',
});
const mint = own.mint.publicKey;
await buyOneSolWorth(connection, keypair, mint);
assert.equal((await sellAnywhere(connection, keypair, mint, 1_000_000_000n)) > 0n, true);
assert.match(whatNow(new Error('no')), /no/);
await buyOneSolWorth(connection, keypair, new PublicKey(keypair.publicKey)).catch((error: unknown) =>
  assert.match(String(error), /no such token/),
);
assert.throws(() => explain(new Error('not of this package')), /not of this package/);

const enough = new Error('enough');
let saved = 0;
await follow(connection, () => (++saved === 5 ? Promise.reject(enough) : Promise.resolve())).catch(
  (error: unknown) => assert.equal(error, enough),
);
const seen = new Set<string>();
void watch(connection, mint, seen);
assert.equal('transactions' in streamSource(() => () => undefined), true);
assert.equal(buyThere(deployment, mint, keypair.publicKey).length > 0, true);
assert.equal(await claimTokens(walletOf(keypair), mint.toBase58(), connection), undefined);
const stats = await refer(walletOf(Keypair.generate()), process.env['API_KEY']);
assert.equal(stats.users >= 4n, true);

const signer = await createKeyPairSignerFromBytes(secret('KEYPAIR'));
assert.equal((await launchAndTradeWithKit(signer)).solAmount > 0n, true);
assert.equal((await buyInstructions(signer, mint.toBase58())).length > 0, true);
assert.equal(await claimSolWithKit(signer, mint.toBase58()), undefined);
assert.equal((await vanityMintWithKit()).address.at(-1), 'z');
void watchWithKit(mint.toBase58());
for (let waited = 0; seen.size < 3 && waited < 240; waited++) await sleep(250);
assert.equal(seen.size >= 3, true, `the feed has seen ${seen.size} records`);
// The feeds would go on.
process.exit(0);

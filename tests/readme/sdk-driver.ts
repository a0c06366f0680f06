// Appended to the snippets of sdk/README.md: calls what they define, on the launchpad of `npm start`. The types are any,
// because the snippets' own types are checked by tests/readme.test.ts.
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
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

const { keypairWallet: walletOf } = await import('@curvekit/sdk/rewards');
const { createKeyPairSignerFromBytes } = await import('@solana/kit');
const secret = (variable: string) =>
  Uint8Array.from(JSON.parse(readFileSync(process.env[variable]!, 'utf8')) as number[]);

assert.ok(items.length >= 3);
const keypair = Keypair.fromSecretKey(secret('KEYPAIR'));
const { solAmount, networkFee } = await launchAndTrade(connection, keypair);
assert.ok(solAmount > 0n && networkFee > 0n);

const picture = new Blob([readFileSync('../curvekit/docs/token.png')], { type: 'image/png' });
const { transaction } = await launchToken(connection, keypair, picture, () =>
  Promise.resolve('https://example.org/curvy'),
);
assert.ok(transaction !== undefined);
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
assert.ok((await sellAnywhere(connection, keypair, mint, 1_000_000_000n)) > 0n);
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
assert.ok('transactions' in streamSource(() => () => undefined));
assert.ok(buyThere(deployment, mint, keypair.publicKey).length > 0);
assert.equal(await claimTokens(walletOf(keypair), mint, connection).catch(() => undefined), undefined);
const stats = await refer(walletOf(Keypair.generate()), process.env['API_KEY']);
assert.ok(stats.users >= 4n);

const signer = await createKeyPairSignerFromBytes(secret('KEYPAIR'));
assert.ok((await launchAndTradeWithKit(signer)).solAmount > 0n);
assert.ok((await buyInstructions(signer, mint.toBase58())).length > 0);
void watchWithKit(mint.toBase58());
for (let waited = 0; seen.size < 3 && waited < 20; waited++) await sleep(250);
assert.ok(seen.size >= 3, `the feed has seen ${seen.size} records`);
// The feeds would go on.
process.exit(0);

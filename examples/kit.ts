// Launches a token with @solana/kit and buys it for 0.1 SOL before anyone else: KEYPAIR=id.json npx tsx examples/kit.ts
import { readFileSync } from 'node:fs';
import * as kit from '@solana/kit';
import { createToken, fetchProperties, formatTokens, parseSol, quoteFirstBuy } from '@curvekit/sdk/kit';

const {
  RPC_URL = 'http://127.0.0.1:8899',
  WS_URL = 'ws://127.0.0.1:8900',
  KEYPAIR = 'id.json',
} = process.env;
const [rpc, rpcSubscriptions] = [kit.createSolanaRpc(RPC_URL), kit.createSolanaRpcSubscriptions(WS_URL)];
const secret = Uint8Array.from(JSON.parse(readFileSync(KEYPAIR, 'utf8')) as number[]);
const payer = await kit.createKeyPairSignerFromBytes(secret);
const mint = await kit.generateKeyPairSigner();

const quote = quoteFirstBuy((await fetchProperties(rpc))!, parseSol('0.1'));
const token = { name: 'Curvy', symbol: 'CURV', uri: 'https://example.org/curvy.json' };
const instructions = await createToken({ payer, mint, ...token, firstBuy: quote.firstBuy });

const { value: blockhash } = await rpc.getLatestBlockhash().send();
const paid = kit.setTransactionMessageFeePayerSigner(payer, kit.createTransactionMessage({ version: 0 }));
const timed = kit.setTransactionMessageLifetimeUsingBlockhash(blockhash, paid);
const message = kit.appendTransactionMessageInstructions(instructions, timed);
const transaction = await kit.signTransactionMessageWithSigners(message);
kit.assertIsTransactionWithBlockhashLifetime(transaction);
const confirm = kit.sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions });
await confirm(transaction, { commitment: 'confirmed' });
console.log(`${mint.address}: bought ${formatTokens(quote.tokenOut)} tokens`);

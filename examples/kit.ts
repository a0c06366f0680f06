// Launches a token with @solana/kit, buying it for 0.1 SOL before anyone else: KEYPAIR=id.json npx tsx examples/kit.ts
import { readFileSync } from 'node:fs';
import { createKeyPairSignerFromBytes, createSolanaRpc } from '@solana/kit';
import { formatTokens, parseSol } from '@curvekit/sdk/kit';
import { launch } from '@curvekit/sdk/kit/trade';

const { RPC_URL = 'http://127.0.0.1:8899', KEYPAIR = 'id.json' } = process.env;
const secret = Uint8Array.from(JSON.parse(readFileSync(KEYPAIR, 'utf8')) as number[]);
const wallet = await createKeyPairSignerFromBytes(secret);
const token = { name: 'Curvy', symbol: 'CURV', uri: 'https://example.org/curvy.json' };
const rpc = createSolanaRpc(RPC_URL);
const { mint, firstBuy } = await launch(rpc, { wallet, ...token, firstBuy: parseSol('0.1') });
console.log(`${mint.address}: bought ${formatTokens(firstBuy!.tokenAmount)} tokens`);

// Creates a token and buys it for 0.5 SOL before anyone else: KEYPAIR=id.json npx tsx examples/launch.ts
import { readFileSync } from 'node:fs';
import { Connection, Keypair } from '@solana/web3.js';
import { formatTokens, parseSol } from '@curvekit/sdk';
import { launch } from '@curvekit/sdk/trade';

const { RPC_URL = 'http://127.0.0.1:8899', KEYPAIR = 'id.json' } = process.env;
const connection = new Connection(RPC_URL, 'confirmed');
const wallet = Keypair.fromSecretKey(Uint8Array.from(JSON.parse(readFileSync(KEYPAIR, 'utf8')) as number[]));
const token = { name: 'Curvy', symbol: 'CURV', uri: 'https://example.org/curvy.json' };
const { mint, firstBuy } = await launch(connection, { wallet, ...token, firstBuy: parseSol('0.5') });
console.log(`${mint.publicKey.toBase58()}: bought ${formatTokens(firstBuy!.tokenAmount)} tokens`);

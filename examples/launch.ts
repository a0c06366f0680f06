// Creates a token and buys it for 0.5 SOL before anyone else: npx tsx examples/launch.ts
import { readFileSync } from 'node:fs';
import { Keypair } from '@solana/web3.js';
import { formatTokens, parseSol } from '@curvekit/sdk';
import { connectLaunchpad } from '@curvekit/sdk/launchpad';
import { launch } from '@curvekit/sdk/trade';

const { LAUNCHPAD_URL = 'http://127.0.0.1:3000', KEYPAIR = 'id.json' } = process.env;
const { connection, deployment } = await connectLaunchpad(LAUNCHPAD_URL);
const wallet = Keypair.fromSecretKey(Uint8Array.from(JSON.parse(readFileSync(KEYPAIR, 'utf8')) as number[]));
const token = { name: 'Curvy', symbol: 'CURV', uri: 'https://example.org/curvy.json' };
const terms = { deployment, wallet, ...token, firstBuy: parseSol('0.5') };
const { mint, firstBuy } = await launch(connection, terms);
console.log(`${mint.publicKey.toBase58()}: bought ${formatTokens(firstBuy!.tokenAmount)} tokens`);

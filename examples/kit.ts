// Launches a token with @solana/kit, buying it for 0.1 SOL before anyone else: npx tsx examples/kit.ts
import { readFileSync } from 'node:fs';
import { createKeyPairSignerFromBytes } from '@solana/kit';
import { formatTokens, parseSol } from '@curvekit/sdk/kit';
import { connectLaunchpad } from '@curvekit/sdk/kit/launchpad';
import { launch } from '@curvekit/sdk/kit/trade';

const { LAUNCHPAD_URL = 'http://127.0.0.1:3000', KEYPAIR = 'id.json' } = process.env;
const { rpc, deployment } = await connectLaunchpad(LAUNCHPAD_URL);
const secret = Uint8Array.from(JSON.parse(readFileSync(KEYPAIR, 'utf8')) as number[]);
const wallet = await createKeyPairSignerFromBytes(secret);
const token = { name: 'Curvy', symbol: 'CURV', uri: 'https://example.org/curvy.json' };
const { mint, firstBuy } = await launch(rpc, { deployment, wallet, ...token, firstBuy: parseSol('0.1') });
console.log(`${mint.address}: bought ${formatTokens(firstBuy!.tokenAmount)} tokens`);

// Buys a token for 0.1 SOL, on its curve or in its pool: npx tsx examples/buy.ts $MINT
import { readFileSync } from 'node:fs';
import { Keypair, PublicKey } from '@solana/web3.js';
import { formatTokens, parseSol } from '@curvekit/sdk';
import { connectLaunchpad } from '@curvekit/sdk/launchpad';
import { trade } from '@curvekit/sdk/trade';

const { LAUNCHPAD_URL = 'http://127.0.0.1:3000', KEYPAIR = 'id.json' } = process.env;
const { connection, deployment } = await connectLaunchpad(LAUNCHPAD_URL);
const wallet = Keypair.fromSecretKey(Uint8Array.from(JSON.parse(readFileSync(KEYPAIR, 'utf8')) as number[]));
const [mint, solToSpend] = [new PublicKey(process.argv[2]!), parseSol('0.1')];
const { tokenAmount, signature } = await trade(connection, { deployment, wallet, mint, solToSpend });
console.log(`${formatTokens(tokenAmount)} tokens: ${signature}`);

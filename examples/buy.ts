// Buys a token for 0.1 SOL, on its curve or in its pool: npx tsx examples/buy.ts $MINT
import { readFileSync } from 'node:fs';
import { Keypair, PublicKey } from '@solana/web3.js';
import { formatTokens, parseSol } from '@curvekit/sdk';
import { connectLaunchpad } from '@curvekit/sdk/launchpad';
import { trade } from '@curvekit/sdk/trade';

const { LAUNCHPAD_URL = 'http://127.0.0.1:3000', KEYPAIR = 'id.json' } = process.env;
const { connection, deployment } = await connectLaunchpad(LAUNCHPAD_URL);
const wallet = Keypair.fromSecretKey(Uint8Array.from(JSON.parse(readFileSync(KEYPAIR, 'utf8')) as number[]));
// The buy is refused when the price gets worse by more than 5 % while it is sent: on a busy curve 1 %, the default, is little.
const terms = { mint: new PublicKey(process.argv[2]!), solToSpend: parseSol('0.1'), slippageBps: 500 };
const { tokenAmount, signature } = await trade(connection, { deployment, wallet, ...terms });
console.log(`${formatTokens(tokenAmount)} tokens: ${signature}`);

// Buys a token for 0.1 SOL, on its curve or in its pool: KEYPAIR=id.json npx tsx examples/buy.ts MINT
import { readFileSync } from 'node:fs';
import { Connection, Keypair, PublicKey } from '@solana/web3.js';
import { formatTokens, parseSol } from '@curvekit/sdk';
import { trade } from '@curvekit/sdk/trade';

const { RPC_URL = 'http://127.0.0.1:8899', KEYPAIR = 'id.json' } = process.env;
const connection = new Connection(RPC_URL, 'confirmed');
const wallet = Keypair.fromSecretKey(Uint8Array.from(JSON.parse(readFileSync(KEYPAIR, 'utf8')) as number[]));
const mint = new PublicKey(process.argv[2]!);
const { tokenAmount, signature } = await trade(connection, { wallet, mint, solToSpend: parseSol('0.1') });
console.log(`${formatTokens(tokenAmount)} tokens: ${signature}`);

// Lists a wallet's tokens of this launchpad, and the SOL that selling them yields now: npx tsx examples/portfolio.ts $WALLET
import { PublicKey } from '@solana/web3.js';
import {
  fetchMarket,
  formatSol,
  formatTokens,
  quoteSell,
  TOKEN_PROGRAM_ADDRESS as programId,
} from '@curvekit/sdk';
import { connectLaunchpad } from '@curvekit/sdk/launchpad';

const { LAUNCHPAD_URL = 'http://127.0.0.1:3000' } = process.env;
const { connection, deployment } = await connectLaunchpad(LAUNCHPAD_URL);
const owner = new PublicKey(process.argv[2]!);
const { value: accounts } = await connection.getTokenAccountsByOwner(owner, { programId });
let total = BigInt(await connection.getBalance(owner));
console.log(`SOL ${formatSol(total)}`);
for (const { account } of accounts) {
  // Layout of a token account: mint, owner, amount.
  const mint = new PublicKey(account.data.subarray(0, 32));
  const amount = account.data.readBigUInt64LE(64);
  const market = amount === 0n ? null : await fetchMarket(connection, mint, { deployment });
  if (market === null) continue;
  const isOpen = market.venue === 'curve' || market.venue === 'pool';
  const { solOut } = isOpen ? quoteSell(market, amount) : { solOut: 0n };
  total += solOut;
  console.log(
    `${mint.toBase58()} ${formatTokens(amount)} tokens, ${formatSol(solOut)} SOL (${market.venue})`,
  );
}
console.log(`worth ${formatSol(total)} SOL`);

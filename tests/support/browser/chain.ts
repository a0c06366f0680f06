// The test's direct access to the stage's cluster.
import { buy, fetchMarket, parseSol, quoteBuy } from '@curvekit/sdk';
import type { SentTransaction } from '@curvekit/testing';
import type { Keypair, PublicKey } from '@solana/web3.js';
import { eventually } from '#tests/service/service.js';
import { stage } from './stage.js';
import { launch } from '#tests/program/tokens.js';

const LAMPORTS = 1_000_000_000n;

export async function fundedWallet(sol: bigint): Promise<Keypair> {
  const { launchpad } = await stage();
  const [wallet] = await launchpad.cluster.fundedWallets(1, sol * LAMPORTS);
  if (wallet === undefined) throw new Error('no wallet');
  return wallet;
}

export async function fund(address: PublicKey, sol: bigint): Promise<void> {
  const { launchpad } = await stage();
  await launchpad.cluster.fund(address, sol * LAMPORTS);
}

/** Launches a token that no simulated wallet trades, and waits until the service has indexed it. */
export async function launchToken(name: string, symbol: string, uri = 'https://curvekit.example/x.json') {
  const { launchpad, url } = await stage();
  const { cluster } = launchpad;
  const creator = await fundedWallet(5n);
  const kept = { afterMigrationBurnBp: 0, afterMigrationHoldersBp: 0, afterMigrationLpBp: 0 };
  const { mint } = await launch(cluster, { name, symbol, uri, ...kept }, creator);
  const address = mint.toBase58();
  await eventually(
    async () => (await fetch(`${url}/v1/market/tokens/${address}`)).status === 200,
    'the service to know the token',
  );
  return { mint, address };
}

export async function buyTokens(mint: PublicKey, sol: string, wallet: Keypair): Promise<SentTransaction> {
  const { cluster } = (await stage()).launchpad;
  const { connection, deployment } = cluster;
  const market = await fetchMarket(connection, mint, { deployment });
  if (market === null) throw new Error(`there is no token ${mint.toBase58()}`);
  const quote = quoteBuy(market, parseSol(sol), 5_000);
  return cluster.send(buy({ market, payer: wallet.publicKey, deployment, ...quote }), [wallet]);
}

export async function lamportsOf(address: PublicKey): Promise<number> {
  const { cluster } = (await stage()).launchpad;
  return cluster.connection.getBalance(address, 'confirmed');
}

// What a program outside the repository does with the SDK. Every platform runs it on a real cluster.
import { Connection, Keypair, PublicKey } from '@solana/web3.js';
import { createDeployment, fetchMarket, isProgramError, keypairWallet, quoteBuy } from '@curvekit/sdk';
import { launch, trade } from '@curvekit/sdk/trade';
import { refusal } from './refusal.mjs';

const LAMPORTS = 1_000_000n;
const MESSAGE = [1, 2, 3];

/** @param given texts and numbers only: the platforms read them from JSON */
export async function story({ rpcUrl, deployment: published, mint: address, secretKey }) {
  const connection = new Connection(rpcUrl, 'confirmed');
  const deployment = createDeployment(published);
  const mint = new PublicKey(address);
  const wallet = Keypair.fromSecretKey(Uint8Array.from(secretKey));
  const market = await fetchMarket(connection, mint, { deployment });
  const { tokenOut } = quoteBuy(market, LAMPORTS);
  const buy = (options) => trade(connection, { wallet, mint, solToSpend: LAMPORTS, deployment, ...options });

  const { tokenAmount } = await buy({ slippageBps: 1000 });
  const tooMuch = await buy({ minTokenToReceive: 10n * tokenOut }).catch((error) => error);
  const nothing = new Connection('http://127.0.0.1:9', 'confirmed');
  const text = { name: 'n', symbol: 's', uri: 'not a uri' };
  return {
    receives: 10n * tokenAmount > 9n * tokenOut,
    slippage: isProgramError(tooMuch, 'SlippageError'),
    signature: Array.from(await keypairWallet(wallet).signMessage(Uint8Array.from(MESSAGE))),
    refused: [
      await refusal(() => buy({ slipageBps: 5000 })),
      await refusal(() => fetchMarket(connection, mint, deployment)),
      await refusal(() => fetchMarket(connection, mint, { deployment: published })),
      await refusal(() => quoteBuy(null, 1n)),
      await refusal(() => trade('http://127.0.0.1:9', { wallet, mint, solToSpend: 1n })),
      await refusal(() => launch(connection, { wallet, deployment, ...text })),
      await refusal(() => fetchMarket(nothing, mint, { deployment, retries: 0 })),
    ],
  };
}

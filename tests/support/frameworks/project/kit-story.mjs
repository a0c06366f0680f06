// The same with @solana/kit. It needs a `crypto.subtle` that signs, which jsdom lacks.
import { createKeyPairSignerFromBytes, createSolanaRpc } from '@solana/kit';
import { createDeployment, fetchMarket, isProgramError, quoteBuy } from '@curvekit/sdk/kit';
import { trade } from '@curvekit/sdk/kit/trade';
import { refusal } from './refusal.mjs';

const LAMPORTS = 2_000_000n;

export async function kitStory({ rpcUrl, deployment: published, mint, secretKey }) {
  const rpc = createSolanaRpc(rpcUrl);
  const deployment = await createDeployment(published);
  const wallet = await createKeyPairSignerFromBytes(Uint8Array.from(secretKey));
  const { tokenOut } = quoteBuy(await fetchMarket(rpc, mint, { deployment }), LAMPORTS);
  const buy = (options) => trade(rpc, { wallet, mint, solToSpend: LAMPORTS, deployment, ...options });

  const { tokenAmount } = await buy({ slippageBps: 1000 });
  const tooMuch = await buy({ minTokenToReceive: 10n * tokenOut }).catch((error) => error);
  const nothing = createSolanaRpc('http://127.0.0.1:9');
  return {
    receives: 10n * tokenAmount > 9n * tokenOut,
    slippage: isProgramError(tooMuch, 'SlippageError'),
    refused: [
      await refusal(() => buy({ slipageBps: 5000 })),
      await refusal(() => fetchMarket(rpc, mint, deployment)),
      await refusal(() => fetchMarket(rpc, mint, { deployment: createDeployment(published) })),
      await refusal(() => fetchMarket(nothing, mint, { deployment, retries: 0 })),
    ],
  };
}

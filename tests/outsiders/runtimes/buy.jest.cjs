// Jest's jsdom has no `fetch`, so that the clients of the service need one; web3.js has its own.
const { Connection, Keypair, PublicKey } = require('@solana/web3.js');
const { trade } = require('@curvekit/sdk/trade');
const { rpcUrl, mint, secretKey } = require('./given.json');

test('buys', async () => {
  expect(typeof window.document).toBe('object');
  const wallet = Keypair.fromSecretKey(Uint8Array.from(secretKey));
  const order = { wallet, mint: new PublicKey(mint), solToSpend: 1_000_000n, slippageBps: 1_000 };
  const { solAmount } = await trade(new Connection(rpcUrl, 'confirmed'), order);
  expect(solAmount).toBe(1_000_000n);
}, 60_000);

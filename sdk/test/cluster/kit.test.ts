// A launchpad used with Kit alone: no Connection, no Keypair, no PublicKey.
import {
  createSolanaRpc,
  fetchEncodedAccount,
  generateKeyPairSigner,
  signature as signatureOf,
  type Address,
  type Instruction,
  type KeyPairSigner,
} from '@solana/kit';
import { expect } from 'chai';
import { useCluster } from '../../../tests/support/cluster/cluster.js';
import { MINT_RENT, SOL } from '../../../tests/support/constants.js';
import { signerOf } from '../../../tests/support/kit/convert.js';
import { KIT_MAJORS, kitEntry, type KitEntry } from '../../../tests/support/kit/kit-entry.js';
import { sendWithKit } from '../../../tests/support/kit/send.js';

const METADATA = { name: 'Kitten', symbol: 'KIT', uri: 'https://example.org/kitten.json' };

for (const major of KIT_MAJORS) {
  describe(`a launchpad used with ${major} alone`, () => {
    const cluster = useCluster();
    let kit: KitEntry;
    let wallet: KeyPairSigner;

    before(async () => {
      kit = await kitEntry(major);
      wallet = await signerOf(await cluster().fundedWallet(10n * SOL));
    });

    const rpc = () => createSolanaRpc(cluster().rpcUrl);
    const send = (instructions: readonly Instruction[]) =>
      sendWithKit(cluster().rpcUrl, wallet, instructions);

    async function recordsOf(signature: string) {
      const config = {
        encoding: 'json',
        maxSupportedTransactionVersion: 0,
        commitment: 'confirmed',
      } as const;
      const transaction = await rpc().getTransaction(signatureOf(signature), config).send();
      return kit.decodeRecords(transaction!);
    }

    async function launched(): Promise<Address> {
      const mint = await generateKeyPairSigner();
      const firstBuy = { solToSpend: SOL / 10n, minTokenToReceive: 1n };
      const signature = await send(
        await kit.createToken({ payer: wallet, mint, ...METADATA, mintRentLamports: MINT_RENT, firstBuy }),
      );
      const [created, bought] = await recordsOf(signature);
      expect(created).to.deep.include({ kind: 'create', signature });
      expect(created!.data).to.include({ ...METADATA, mint: mint.address, creator: wallet.address });
      expect(bought).to.have.property('kind', 'trade');
      expect(created!.slot).to.be.a('bigint');
      return mint.address;
    }

    it('launches, buys and sells, and reads what happened', async () => {
      const mint = await launched();
      const market = (await kit.fetchMarket(rpc(), mint))!;
      const { tokenOut, ...quote } = kit.quoteBuy(market, SOL, 100);
      const bought = await recordsOf(await send(await kit.buy({ payer: wallet, market, ...quote })));
      expect(bought[0]!.data).to.include({ mint, trader: wallet.address, tokenAmount: tokenOut });

      const after = (await kit.fetchMarket(rpc(), mint))!;
      expect(after.curve.virtualToken).to.equal(market.curve.virtualToken - tokenOut);
      const { solOut, ...sale } = kit.quoteSell(after, tokenOut);
      const sold = await recordsOf(await send(await kit.sell({ payer: wallet, mint, ...sale })));
      expect(sold[0]!.data).to.include({ mint, solAmount: solOut });
    });

    it('decodes accounts fetched with Kit, and returns null for a missing account', async () => {
      const mint = await launched();
      const { address } = (await kit.tokenAddresses(mint)).curve;
      const account = await fetchEncodedAccount(rpc(), address, { commitment: 'confirmed' });
      const data = kit.decodeTokenOwnerAccount(account)!;
      expect(data).to.deep.equal(await kit.fetchTokenOwnerData(rpc(), mint));
      const properties = kit.DEFAULT_DEPLOYMENT.properties.address;
      const settings = await fetchEncodedAccount(rpc(), properties, { commitment: 'confirmed' });
      expect(kit.decodePropertiesAccount(settings)).to.deep.equal(await kit.fetchProperties(rpc()));
      expect(kit.decodePropertiesAccount(settings)!.platformFeeBps).to.be.a('number');

      const nobody = (await generateKeyPairSigner()).address;
      expect(await kit.fetchMarket(rpc(), nobody)).to.equal(null);
      const missing = await fetchEncodedAccount(rpc(), nobody, { commitment: 'confirmed' });
      expect(kit.decodeTokenOwnerAccount(missing)).to.equal(null);
      expect(() => kit.decodeTokenOwnerAccount(settings))
        .to.throw(kit.UnexpectedAccountError as never, 'discriminator differs')
        .with.property('address', properties);
    });

    it('names the program’s error', async () => {
      const mint = await launched();
      const instructions = await kit.buy({
        payer: wallet,
        mint,
        solToSpend: 1_000n,
        minTokenToReceive: 10n ** 15n,
      });
      const thrown = await send(instructions).catch((error: unknown) => error);
      const failure = kit.sendError(thrown, { instructions })!;
      expect(kit.isSlippageError(failure), String(failure)).to.equal(true);
      expect(failure.message).to.equal(
        'instruction 1 (buyToken) failed: SlippageError (6003): Slippage error',
      );
      expect(failure.logs?.length).to.be.greaterThan(3);
    });
  });
}

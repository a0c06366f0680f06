// What Kit alone reads: records, accounts and errors.
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
import { SOL } from '../../../tests/support/constants.js';
import { signerOf } from '../../../tests/support/kit/flavours.js';
import { KIT_MAJORS, kitEntry, type KitEntry } from '../../../tests/support/kit/kit-entry.js';
import { sendWithKit } from '../../../tests/support/kit/send.js';
import { launch } from '../../../tests/support/program/tokens.js';

for (const major of KIT_MAJORS) {
  describe(`the entry for ${major}`, () => {
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

    const launched = async () => (await launch(cluster())).mint.toBase58() as Address;

    it('decodes the records of a transaction: addresses are strings, slots bigints', async () => {
      const { mint, created } = await launch(cluster());
      const config = {
        encoding: 'json',
        maxSupportedTransactionVersion: 0,
        commitment: 'confirmed',
      } as const;
      const transaction = await rpc().getTransaction(signatureOf(created.signature), config).send();
      const [record] = kit.decodeRecords(transaction!);
      const { signature, slot } = created;
      expect(record).to.deep.include({ kind: 'create', signature, slot: BigInt(slot) });
      expect(record!.data).to.include({ mint: String(mint), creator: String(cluster().payer.publicKey) });
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

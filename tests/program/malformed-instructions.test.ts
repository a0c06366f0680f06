// Instructions whose data or account lists do not match the interface.
import { Keypair, type TransactionInstruction } from '@solana/web3.js';
import { expect } from 'chai';
import { decodeRecords, encodeTradeRecord, KEY_HELD_DEPLOYMENT, quoteBuy } from '@curvekit/sdk';
import { withAccount, withAccountCount, withData } from '#tests/program/altered.js';
import { useKeyHeldCluster } from '#tests/cluster/cluster.js';
import { afterBuy, holdings } from '#tests/program/holdings.js';
import { rawInstructions } from '#tests/program/raw-instructions.js';
import { expectRefused } from '#tests/cluster/refusals.js';
import { curveState, launch, openTokenAccount, type Token } from '#tests/program/tokens.js';
import { buyRecord, expectTradeRecords } from '#tests/program/trade-records.js';
import { SOL } from '#tests/constants.js';

const { rawAdminSetProperties, rawBuyToken, rawCreateToken, rawMigrate, rawSellToken, rawValidateLogRecord } =
  rawInstructions(KEY_HELD_DEPLOYMENT);

const DISCRIMINATOR_SIZE = 8;

/** The integers from `start` to below `end`. */
const range = (start: number, end: number) =>
  Array.from({ length: end - start }, (_, index) => start + index);

describe('malformed instructions', () => {
  const cluster = useKeyHeldCluster();
  let token: Token;

  before(async () => {
    token = await launch(cluster());
    await openTokenAccount(cluster(), cluster().payer.publicKey, token.mint);
  });

  const INSTRUCTIONS: readonly (readonly [name: string, build: () => TransactionInstruction])[] = [
    ['createToken', () => rawCreateToken(Keypair.generate().publicKey, cluster().payer.publicKey)],
    ['buyToken', () => rawBuyToken(token.mint, cluster().payer.publicKey)],
    ['sellToken', () => rawSellToken(token.mint, cluster().payer.publicKey)],
    ['migrate', () => rawMigrate(token.mint)],
    // No key can sign for its account. The program refuses the data and the account count before it checks signatures.
    ['validateLogRecord', () => withAccount(rawValidateLogRecord(), 0, { isSigner: false })],
    ['adminSetProperties', () => rawAdminSetProperties()],
  ];

  function expectInstructionRefused(instruction: TransactionInstruction, expected: string) {
    const { admin, feeReceiver } = cluster();
    const signers = [admin, feeReceiver].filter(({ publicKey }) =>
      instruction.keys.some(({ pubkey, isSigner }) => isSigner && pubkey.equals(publicKey)),
    );
    return expectRefused(cluster(), [instruction], signers, expected);
  }

  for (const [name, build] of INSTRUCTIONS) {
    describe(name, () => {
      it('Given data that ends early, at the first argument or within the last, then it is refused', async () => {
        const right = build();
        const longest = right.data.length - 1;
        const lengths = range(DISCRIMINATOR_SIZE, longest).filter((length) => length % 7 === 0);
        await Promise.all(
          [DISCRIMINATOR_SIZE, ...lengths, longest].map((length) => {
            const cut = withData(right, right.data.subarray(0, length));
            return expectInstructionRefused(cut, '102 InstructionDidNotDeserialize');
          }),
        );
      });

      it('Given fewer accounts than it takes, down to none, then it is refused', async () => {
        const right = build();
        await Promise.all(
          range(0, right.keys.length).map((count) =>
            expectInstructionRefused(withAccountCount(right, count), '3005 AccountNotEnoughKeys'),
          ),
        );
      });
    });
  }

  it('Given an instruction that the program does not have, then it is refused', async () => {
    const right = rawBuyToken(token.mint, cluster().payer.publicKey);
    for (const data of [
      Buffer.alloc(0),
      right.data.subarray(0, DISCRIMINATOR_SIZE - 1),
      Buffer.alloc(DISCRIMINATOR_SIZE),
      Buffer.concat([Buffer.alloc(DISCRIMINATOR_SIZE, 0xff), right.data.subarray(DISCRIMINATOR_SIZE)]),
    ]) {
      await expectInstructionRefused(withData(right, data), '101 InstructionFallbackNotFound');
    }
  });

  it('Given extra bytes after the arguments and an extra account, then the trade is unchanged and no record is forged', async () => {
    const { payer } = cluster();
    const trader = await cluster().fundedWallet();
    await openTokenAccount(cluster(), trader.publicKey, token.mint);
    const quote = quoteBuy(await curveState(cluster(), token), SOL);
    const record = buyRecord(token, trader.publicKey, quote);
    const forged = encodeTradeRecord({ ...record, solAmount: 1_000_000n * SOL, timestamp: 0n });
    const right = rawBuyToken(token.mint, trader.publicKey, { args: { solToSpend: SOL } });
    const longer = withData(right, Buffer.concat([right.data, forged]));
    longer.keys.push({ pubkey: Keypair.generate().publicKey, isSigner: false, isWritable: true });
    const before = await holdings(cluster(), token, trader.publicKey);
    const sent = await cluster().send([longer], [payer, trader]);
    expect(await holdings(cluster(), token, trader.publicKey)).to.deep.equal(afterBuy(before, quote));
    expect(decodeRecords(sent.transaction)).to.have.lengthOf(1);
    await expectTradeRecords(cluster(), sent, [record]);
  });
});

// What the signer of a treasury signs, message by message. threat: foreign-instance
import { createApproveInstruction, createTransferInstruction, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import {
  AddressLookupTableAccount,
  Keypair,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
} from '@solana/web3.js';
import { expect } from 'chai';
import { claimInstructions, type ClaimOrder } from '#app/claims/transaction.js';
import {
  markAddress,
  markOf,
  writeMark,
  type MarkAccount,
} from '#app/reconciliation/split-brain/mark-account.js';
import { SpendingLimit } from '#app/signer/spending-limit.js';
import { readMessage, Refusal } from '#app/signer/message.js';
import { memoInstruction } from '#app/graduation/settlement/payment/memo.js';
import { leaving } from '#app/signer/treasury-rule.js';
import { rejection } from '#tests/mocha/failures.js';

const [treasury, wallet, mint, stranger] = Array.from({ length: 4 }, () => Keypair.generate().publicKey) as [
  ClaimOrder['wallet'],
  ClaimOrder['wallet'],
  ClaimOrder['mint'],
  ClaimOrder['wallet'],
];
const BLOCKHASH = Keypair.generate().publicKey.toBase58();
const FEE = 10_000n;
const RENT = 2_039_280;
const OPENED = { owner: TOKEN_PROGRAM_ID } as MarkAccount;

const message = (instructions: readonly TransactionInstruction[], payer = treasury) =>
  new TransactionMessage({ payerKey: payer, recentBlockhash: BLOCKHASH, instructions: [...instructions] });
const bytesOf = (instructions: readonly TransactionInstruction[], payer = treasury) =>
  message(instructions, payer).compileToV0Message().serialize();
const signing = async (bytes: Uint8Array, claims = true) => leaving(treasury, readMessage(bytes), { claims });

const order = (changes: Partial<ClaimOrder> = {}): ClaimOrder => ({
  ...{ wallet, mint, asset: 'SOL', amount: 100_000n, burn: false },
  ...changes,
});
const claim = (changes: Partial<ClaimOrder> = {}, walletHasAccount = true, payer = treasury) =>
  claimInstructions(payer, order(changes), { networkFee: FEE, walletHasAccount });
const mark = async (account: MarkAccount, rent = RENT, owner = treasury) =>
  writeMark(owner, markOf(owner.toBase58(), 'an incarnation'), {
    ...{ account, rent, address: await markAddress(owner) },
  });

describe("what a treasury's signer signs", () => {
  it('claims of SOL, which take their amount', async () => {
    expect(await signing(bytesOf(claim()))).to.equal(100_000n);
  });

  it('claims of tokens, which take the network fee, and rent where they open an account', async () => {
    const fees: bigint[] = [];
    for (const burn of [false, true])
      for (const hasAccount of [true, false])
        fees.push(await signing(bytesOf(claim({ asset: 'TOKEN', burn }, hasAccount))));
    expect(fees).to.deep.equal([FEE, FEE + 10_000_000n, FEE, FEE]);
  });

  it('the epoch of a database, whose account it may open', async () => {
    expect(await signing(bytesOf(await mark(OPENED)))).to.equal(5_000n);
    expect(await signing(bytesOf(await mark(null)))).to.equal(BigInt(RENT) + 5_000n);
  });
});

type Awaitable = TransactionInstruction[] | Promise<TransactionInstruction[]>;

describe("what a treasury's signer refuses", () => {
  const unknown = new TransactionInstruction({ programId: stranger, keys: [] });
  const memo = memoInstruction({
    id: 17,
    ...{ solHolders: 1n, tokenHolders: 0n, solCreatorCredited: 0n, tokenCreatorCredited: 0n },
  });
  const transfer = SystemProgram.transfer({ fromPubkey: treasury, toPubkey: stranger, lamports: 1 });
  const twoSigners = { pubkey: wallet, isSigner: true, isWritable: false };
  const cases: readonly (readonly [what: string, instructions: () => Awaitable])[] = [
    ['a transfer', () => [transfer]],
    [
      'a transfer that a wallet signs too',
      () => [new TransactionInstruction({ ...transfer, keys: [...transfer.keys, twoSigners] })],
    ],
    ['a claim with another instruction', () => [...claim(), unknown]],
    ['a claim with a memo', () => [memo, ...claim()]],
    ['a memo', () => [memo]],
    ['a claim with a transfer before it', () => [transfer, ...claim()]],
    ['two claims', () => [...claim(), ...claim({ mint: stranger })]],
    ['a claim of another treasury', () => claim({}, true, stranger)],
    ["the treasury's tokens to any account", () => [createTransferInstruction(stranger, mint, treasury, 1n)]],
    ['the right to spend tokens', () => [createApproveInstruction(stranger, wallet, treasury, 0)]],
    [
      'an epoch that may spend',
      async () => [createApproveInstruction(await markAddress(treasury), wallet, treasury, 1)],
    ],
    ['an epoch and a transfer', async () => [...(await mark(OPENED)), transfer]],
    ['an epoch whose account gets more than rent', async () => [...(await mark(null, 10_000_001))]],
    ["another treasury's epoch", async () => [...(await mark(OPENED, RENT, stranger))]],
  ];
  for (const [what, instructions] of cases)
    it(what, async () => {
      const error = await rejection(signing(bytesOf(await instructions())), Refusal);
      expect(error.message).to.contain('signs claims and the epoch');
    });

  it('a claim that somebody else pays for', async () => {
    await rejection(signing(bytesOf(claim(), stranger)), Refusal);
  });

  it('messages of another version, with lookup tables, with more bytes, or none', async () => {
    const refused = async (bytes: Uint8Array, why: RegExp) =>
      expect((await rejection(signing(bytes), Refusal)).message).to.match(why);
    await refused(message(claim()).compileToLegacyMessage().serialize(), /version 0 without lookup tables/);
    const table = new AddressLookupTableAccount({
      key: stranger,
      state: {
        deactivationSlot: 2n ** 64n - 1n,
        lastExtendedSlot: 0,
        lastExtendedSlotStartIndex: 0,
        addresses: [mint],
      },
    });
    await refused(message(claim()).compileToV0Message([table]).serialize(), /without lookup tables/);
    const bytes = bytesOf(claim());
    await refused(Buffer.concat([bytes, Buffer.of(0)]), /not in its usual form/);
    for (const length of [0, 1, 40, bytes.length - 1])
      await refused(bytes.subarray(0, length), /no message|usual form|signs claims|version 0/);
  });

  it('every message that differs from a claim in one byte and pays somebody else, or more', async () => {
    const bytes = bytesOf(claim());
    let signed = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 1;
      const lamports = await signing(changed).catch((error: unknown) => {
        if (error instanceof Refusal) return undefined;
        throw error;
      });
      if (lamports === undefined) continue;
      signed += 1;
      // What is still a claim: of another wallet, of another token, of another amount, with another blockhash.
      const { staticAccountKeys: keys } = readMessage(changed);
      expect(keys[0]!.equals(treasury)).to.equal(true);
    }
    expect(signed).to.be.within(1, 32 + 32 + 32 + 8);
  });
});

describe('the limit of a day', () => {
  const DAY_MS = 86_400_000;

  it('holds for any 24 hours, and says what is signed', () => {
    let now = 0;
    const limit = new SpendingLimit(100n, () => now);
    limit.take(60n);
    now += DAY_MS / 2;
    limit.take(40n);
    expect(() => limit.take(1n)).to.throw(Refusal, '; 0.0000001 are signed');
    now += DAY_MS / 2;
    expect(() => limit.take(61n)).to.throw(Refusal);
    limit.take(60n);
    expect(() => limit.take(1n)).to.throw(Refusal);
  });

  it('takes back what was not stored, unless a day has passed', () => {
    let now = 0;
    const limit = new SpendingLimit(100n, () => now);
    const takeBack = limit.take(60n);
    limit.take(40n);
    takeBack();
    limit.take(60n);
    expect(() => limit.take(1n)).to.throw(Refusal);
    now += 2 * DAY_MS;
    const late = limit.take(100n);
    now += 2 * DAY_MS;
    limit.take(100n);
    late();
    expect(() => limit.take(1n)).to.throw(Refusal);
  });

  it('does not apply without the option', () => {
    const limit = new SpendingLimit(undefined);
    for (let count = 0; count < 3; count += 1) limit.take(2n ** 63n);
  });
});

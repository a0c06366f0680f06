// The transaction of a settlement: which parts it pays to whom, and that a second one is signed only when no earlier one may land.
import {
  PublicKey,
  TransactionMessage,
  VersionedTransaction,
  SystemProgram,
  type TransactionInstruction,
} from '@solana/web3.js';
import { expect } from 'chai';
import { eq } from 'drizzle-orm';
import {
  associatedTokenAddress,
  communityTokenStorageAddress,
  communityWsolStorageAddress,
} from '@curvekit/sdk';
import { authorityTransactions, settlements } from '#app/db/schema/index.js';
import { sign, signedFor } from '#app/graduation/settlement/payment/sign.js';
import { subjectOf, type Settlement } from '#app/graduation/settlement/repository.js';
import { NEVER_ABORTED } from '#tests/constants.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { insertTransaction } from '#tests/database/open-settlement.js';
import { rejection } from '#tests/mocha/failures.js';
import { newAddress } from '#tests/new-address.js';
import { ACCOUNT_RENT } from '#tests/node/accounts-node.js';
import { usePayments } from '#tests/service/payments.js';
import { ASSOCIATED_TOKEN_PROGRAM_ID, TOKEN_PROGRAM_ID } from '@solana/spl-token';

// Instructions in words: what a payment moves, from where to where, and how much.

/** Instructions of the token program by their first byte: the word, the accounts that matter, and whether an amount follows. */
const TOKEN: Readonly<Record<number, { word: string; accounts: readonly number[]; hasAmount?: true }>> = {
  9: { word: 'close', accounts: [0, 1] },
  12: { word: 'transfer', accounts: [0, 2], hasAmount: true },
  15: { word: 'burn', accounts: [0], hasAmount: true },
  17: { word: 'sync', accounts: [0] },
  18: { word: 'initialise', accounts: [0] },
};

/** @param names of addresses, in base58 */
function described(
  { programId, keys, data }: TransactionInstruction,
  names: Readonly<Record<string, string>> = {},
): string {
  const name = (index: number) => {
    const address = keys[index]!.pubkey.toBase58();
    return names[address] ?? address;
  };
  if (programId.equals(TOKEN_PROGRAM_ID)) {
    const { word, accounts, hasAmount } = TOKEN[data[0]!]!;
    return [word, ...accounts.map(name), ...(hasAmount ? [data.readBigUInt64LE(1)] : [])].join(' ');
  }
  if (programId.equals(SystemProgram.programId))
    return `${data[0] === 0 ? 'create' : 'pay'} ${name(1)} ${data.readBigUInt64LE(4)}`;
  if (programId.equals(ASSOCIATED_TOKEN_PROGRAM_ID)) return `open ${name(1)}`;
  return data.toString('utf8');
}

/** No amount is the sum or the difference of others. */
const PLAN = {
  ...{ sol: 1_110n, solHolders: 100n, solLp: 10n, solCreator: 1_000n, solCreatorCredited: 7n },
  ...{ token: 42_220n, tokenBurned: 40_000n, tokenHolders: 200n, tokenLp: 20n },
  ...{ tokenCreator: 2_000n, tokenCreatorCredited: 9n },
};

describe(`a settlement's transaction (${DATABASE_KIND})`, function () {
  this.timeout(60_000);
  const [treasury, lp, creator] = [newAddress(), newAddress(), newAddress()];
  const at = usePayments();
  const { dexOwner, logged } = at;

  const planned = (columns: Partial<Settlement> = {}) =>
    at.planned({ ...PLAN, treasury, lp, creator, opensCreatorAccount: true, ...columns });

  /** What the signed transaction does, without its budget, in words. */
  async function movesOf(settlement: Settlement): Promise<string[]> {
    const signed = await sign(at.context, settlement, 'a subject');
    if ('problem' in signed) throw new Error(signed.problem);
    const mint = new PublicKey(settlement.mint);
    const { message } = VersionedTransaction.deserialize(Buffer.from(signed.transaction, 'base64'));
    const wallets = { treasury, lp, creator };
    const names = Object.fromEntries([
      ...Object.entries(wallets).map(([name, address]) => [address, name]),
      ...Object.entries(wallets).map(([name, address]) => [
        associatedTokenAddress(new PublicKey(address), mint).address.toBase58(),
        `the ${name}'s account`,
      ]),
      [dexOwner.toBase58(), 'us'],
      [communityWsolStorageAddress(mint, at.context.deployment).address.toBase58(), 'the wSOL'],
      [communityTokenStorageAddress(mint, at.context.deployment).address.toBase58(), 'the tokens'],
      // The second signer, where there is one.
      ...(message.header.numRequiredSignatures === 2
        ? [[message.staticAccountKeys[1]!.toBase58(), 'a temporary account']]
        : []),
    ]) as Record<string, string>;
    const { instructions } = TransactionMessage.decompile(message);
    return instructions
      .filter(({ programId }) => !programId.toBase58().startsWith('ComputeBudget'))
      .map((instruction) => described(instruction, names));
  }

  const unwrapped = (lamports: number) => [
    'sync the wSOL',
    `create a temporary account ${ACCOUNT_RENT}`,
    'initialise a temporary account',
    `transfer the wSOL a temporary account ${lamports}`,
    'close a temporary account us',
  ];

  it('pays each part, what is credited to the treasury, and opens accounts', async () => {
    const settlement = await planned();
    expect(await movesOf(settlement)).to.deep.equal([
      `curvekit settlement ${settlement.id} holders 100 200 creator 7 9`,
      ...unwrapped(1_110),
      ...['pay treasury 107', 'pay lp 10', 'pay creator 993'],
      'burn the tokens 40000',
      ...["open the treasury's account", "transfer the tokens the treasury's account 209"],
      ...["open the lp's account", "transfer the tokens the lp's account 20"],
      ...["open the creator's account", "transfer the tokens the creator's account 1991"],
    ]);
  });

  it('opens no account of the creator that is open', async () => {
    const moves = await movesOf(await planned({ opensCreatorAccount: false }));
    expect(moves.filter((move) => move.startsWith('open'))).to.deep.equal([
      "open the treasury's account",
      "open the lp's account",
    ]);
  });

  it('leaves a storage alone from which it takes nothing, and has no transfers of nothing', async () => {
    const tokensOnly = await planned({
      ...{ sol: 0n, solHolders: 0n, solLp: 0n, solCreator: 0n, solCreatorCredited: 0n },
      ...{ token: 2_200n, tokenBurned: 0n, tokenLp: 0n, tokenCreatorCredited: 0n },
    });
    expect((await movesOf(tokensOnly)).slice(1)).to.deep.equal([
      ...["open the treasury's account", "transfer the tokens the treasury's account 200"],
      ...["open the creator's account", "transfer the tokens the creator's account 2000"],
    ]);
    const solOnly = await planned({
      ...{ treasury: null, lp: null, sol: 1_000n, solHolders: 0n, solLp: 0n, solCreatorCredited: 0n },
      ...{
        token: 0n,
        tokenBurned: 0n,
        tokenHolders: 0n,
        tokenLp: 0n,
        tokenCreator: 0n,
        tokenCreatorCredited: 0n,
      },
    });
    expect((await movesOf(solOnly)).slice(1)).to.deep.equal([...unwrapped(1_000), 'pay creator 1000']);
  });

  it('is not signed when it fails in the simulation', async () => {
    at.node.simulated = () => ({ InstructionError: [1, 'InsufficientFunds'] });
    expect(await sign(at.context, await planned(), 'a subject'))
      .to.have.property('problem')
      .that.contains('InsufficientFunds');
  });

  const rows = (settlement: Settlement) =>
    at.context.database.queries
      .select({ signature: authorityTransactions.signature, state: authorityTransactions.state })
      .from(authorityTransactions)
      .where(eq(authorityTransactions.subject, subjectOf(settlement.id)));

  it('is stored when it is signed, and then signed no more while it may land', async () => {
    const settlement = await planned();
    const signed = (await signedFor(at.context, settlement, NEVER_ABORTED))!;
    expect(signed).to.have.property('signature');
    expect(await signedFor(at.context, settlement, NEVER_ABORTED)).to.deep.equal(signed);
    expect(await rows(settlement)).to.have.lengthOf(1);
  });

  it('is the earlier one that counted as expired and has landed', async () => {
    const settlement = await planned();
    const name = `expired ${settlement.id}`;
    await insertTransaction(at.context.database.queries, settlement.id, name, 'expired');
    at.node.landed.set(name, null);
    expect(await signedFor(at.context, settlement, NEVER_ABORTED)).to.deep.include({ signature: name });
    expect(await rows(settlement)).to.deep.equal([{ signature: name, state: 'signed' }]);
    const { mint, id } = settlement;
    expect(logged).to.have.lengthOf(1);
    expect(logged[0]).to.deep.include({ level: 50, mint, settlement: id, signature: name });
  });

  it('is a new one after one that expired, and none that landed of a settlement that has ended', async () => {
    const settlement = await planned();
    await insertTransaction(
      at.context.database.queries,
      settlement.id,
      `expired ${settlement.id}`,
      'expired',
    );
    expect(await signedFor(at.context, settlement, NEVER_ABORTED)).to.have.property('signature');
    expect((await rows(settlement)).map(({ state }) => state).sort()).to.deep.equal(['expired', 'signed']);
    const ended = await planned({ state: 'failed' });
    const name = `expired ${ended.id}`;
    await insertTransaction(at.context.database.queries, ended.id, name, 'expired');
    at.node.landed.set(name, null);
    expect(await signedFor(at.context, ended, NEVER_ABORTED)).to.equal(undefined);
    expect(await rows(ended)).to.deep.equal([{ signature: name, state: 'expired' }]);
  });

  it('is not stored when the plan was changed meanwhile, or the process stops', async () => {
    const settlement = await planned();
    const change = { lp: 'another' };
    await at.context.database.queries
      .update(settlements)
      .set(change)
      .where(eq(settlements.id, settlement.id));
    expect(await signedFor(at.context, settlement, NEVER_ABORTED)).to.equal(undefined);
    expect(await rows(settlement)).to.deep.equal([]);
    const other = await planned();
    const stopped = AbortSignal.abort(new Error('the process ends'));
    expect((await rejection(signedFor(at.context, other, stopped), Error)).message).to.equal(
      'the process ends',
    );
    expect(await rows(other)).to.deep.equal([]);
  });
});

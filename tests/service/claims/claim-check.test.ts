// The claim check before signing: the SDK signs no transaction of a service that is not the claim that was asked for, and none that
// pays less than the service said.
import {
  AuthorityType,
  createApproveInstruction,
  createAssociatedTokenAccountIdempotentInstruction,
  createAssociatedTokenAccountInstruction,
  createBurnCheckedInstruction,
  createCloseAccountInstruction,
  createRecoverNestedInstruction,
  createSetAuthorityInstruction,
  createTransferCheckedInstruction,
  TOKEN_2022_PROGRAM_ID,
} from '@solana/spl-token';
import {
  AddressLookupTableAccount,
  ComputeBudgetProgram,
  Keypair,
  MessageV0,
  type PublicKey,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
  type VersionedMessage,
} from '@solana/web3.js';
import { expect } from 'chai';
import bs58 from 'bs58';
import { associatedTokenAddress, keypairWallet } from '@curvekit/sdk';
import {
  RewardsClient,
  UnderpaidClaimError,
  UntrustedTransactionError,
  type ClaimingWallet,
  type ClaimRequest,
} from '@curvekit/sdk/rewards';
import { NATIVE_MINT_ADDRESS } from '#sdk/generated/program.js';
import { claimTransaction } from '#app/claims/transaction.js';
import { localSigner } from '#app/keys/local-signer.js';
import { rejection } from '#tests/mocha/failures.js';
import { serveHttp, type ServedNode } from '#tests/node/serve.js';

const AMOUNT = 1_000n;
const DECIMALS = 6;
const BLOCKHASH = '1'.repeat(32);

const keypair = Keypair.generate();
const wallet = keypair.publicKey;
/** The fee payer: an honest service's treasury, or any account that a hostile service chooses. */
const treasury = Keypair.generate();
const payer = treasury.publicKey;
const attacker = Keypair.generate().publicKey;
const mint = Keypair.generate().publicKey;
const otherMint = Keypair.generate().publicKey;

const ata = (owner: PublicKey, ofMint = mint) => associatedTokenAddress(owner, ofMint).address;
const own = ata(wallet);

/** Adds a signer to the accounts. The programs ignore it. */
function alsoSigned(instruction: TransactionInstruction, by = wallet): TransactionInstruction {
  const signer = { pubkey: by, isSigner: true, isWritable: false };
  return new TransactionInstruction({ ...instruction, keys: [...instruction.keys, signer] });
}

function withData(instruction: TransactionInstruction, data: Uint8Array): TransactionInstruction {
  return new TransactionInstruction({ ...instruction, data: Buffer.from(data) });
}

const transfer = (from: PublicKey, to: PublicKey, lamports = AMOUNT) =>
  SystemProgram.transfer({ fromPubkey: from, toPubkey: to, lamports });
const send = (from: PublicKey, to: PublicKey, authority: PublicKey, ofMint = mint, amount = AMOUNT) =>
  createTransferCheckedInstruction(from, ofMint, to, authority, amount, DECIMALS);
const burn = (amount = AMOUNT, account = own, ofMint = mint) =>
  createBurnCheckedInstruction(account, ofMint, wallet, amount, DECIMALS);
const close = (rentTo: PublicKey, account = own) => createCloseAccountInstruction(account, rentTo, wallet);
const create = (by = payer, owner = wallet, ofMint = mint) =>
  createAssociatedTokenAccountInstruction(by, ata(owner, ofMint), owner, ofMint);
const createIfMissing = (by = payer, owner = wallet, ofMint = mint) =>
  createAssociatedTokenAccountIdempotentInstruction(by, ata(owner, ofMint), owner, ofMint);

/** The instructions of an honest claim, per asset. */
const givenSol = alsoSigned(transfer(payer, wallet));
const givenTokens = alsoSigned(send(ata(payer), own, payer));

const ofSol = { tokenAddress: mint, claimType: 'SOL' } as const;
const ofTokens = { tokenAddress: mint, claimType: 'TOKEN' } as const;
const toBurn = { ...ofTokens, burnToken: true } as const;
const toBurnWrapped = { ...toBurn, tokenAddress: NATIVE_MINT_ADDRESS } as const;

const messageOf = (instructions: TransactionInstruction[], payerKey = payer) =>
  new TransactionMessage({ payerKey, instructions, recentBlockhash: BLOCKHASH });
const compiled = (instructions: TransactionInstruction[], payerKey = payer): VersionedMessage =>
  messageOf(instructions, payerKey).compileToV0Message();

/** Like `compiled`, with an account from an address lookup table. */
function withLookup(instructions: TransactionInstruction[], address: PublicKey): VersionedMessage {
  const table = new AddressLookupTableAccount({
    key: Keypair.generate().publicKey,
    state: {
      ...{ deactivationSlot: 2n ** 64n - 1n, lastExtendedSlot: 0, lastExtendedSlotStartIndex: 0 },
      addresses: [address],
    },
  });
  return messageOf(instructions).compileToV0Message([table]);
}

/** Transactions that would cost the wallet something, and the problem that the check names. */
const HOSTILE: Readonly<
  Record<string, readonly [ClaimRequest, TransactionInstruction[] | VersionedMessage, problem: RegExp]>
> = {
  // The message.
  'a network fee that the wallet pays': [
    ofSol,
    compiled([transfer(payer, wallet)], wallet),
    /would pay its fee/,
  ],
  "a claim without the wallet's signature": [ofSol, [transfer(payer, wallet)], /no signature of the wallet/],
  'a third signer': [ofSol, [alsoSigned(givenSol, attacker)], /signature of somebody else/],
  'no fee payer': [
    ofSol,
    new MessageV0({
      header: { numRequiredSignatures: 0, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 0 },
      staticAccountKeys: [],
      recentBlockhash: BLOCKHASH,
      compiledInstructions: [],
      addressTableLookups: [],
    }),
    /nobody pays/,
  ],
  'a message of another version': [ofSol, messageOf([givenSol]).compileToLegacyMessage(), /version legacy/],
  'an address lookup table': [
    ofTokens,
    withLookup([alsoSigned(send(ata(payer), own, payer))], ata(payer)),
    /looks addresses up/,
  ],
  'an unknown program': [
    ofSol,
    [givenSol, alsoSigned(new TransactionInstruction({ programId: attacker, keys: [] }))],
    /it calls /,
  ],
  // SOL.
  'SOL of the wallet': [ofSol, [transfer(wallet, attacker)], /wallet would pay/],
  'SOL for another wallet': [ofSol, [alsoSigned(transfer(payer, attacker))], /pays somebody else/],
  'SOL with an extra account': [
    ofSol,
    [new TransactionInstruction({ ...givenSol, keys: [...givenSol.keys, givenTokens.keys[0]!] })],
    /has other accounts/,
  ],
  'zero SOL': [ofSol, [alsoSigned(transfer(payer, wallet, 0n))], /gives no SOL/],
  'a new owner for the wallet': [
    ofSol,
    [givenSol, SystemProgram.assign({ accountPubkey: wallet, programId: attacker })],
    /more than transfer SOL/,
  ],
  'a durable nonce': [
    ofSol,
    [SystemProgram.nonceAdvance({ noncePubkey: attacker, authorizedPubkey: wallet }), givenSol],
    /more than transfer SOL/,
  ],
  'a truncated SOL transfer': [ofSol, [withData(givenSol, Uint8Array.of(2, 0))], /more than transfer SOL/],
  // Account creation.
  'a token account whose rent the wallet pays': [ofTokens, [create(wallet), givenTokens], /wallet would pay/],
  'an account of another wallet': [ofTokens, [create(payer, attacker), givenTokens], /opens another account/],
  'an account of the other token program': [
    ofTokens,
    [createAssociatedTokenAccountInstruction(payer, own, wallet, mint, TOKEN_2022_PROGRAM_ID), givenTokens],
    /opens another account/,
  ],
  'recovering nested accounts': [
    ofTokens,
    [
      createRecoverNestedInstruction(ata(own), otherMint, ata(wallet, otherMint), own, mint, wallet),
      givenTokens,
    ],
    /more than open an account/,
  ],
  // Token transfers.
  'no tokens': [
    ofTokens,
    [create(), alsoSigned(ComputeBudgetProgram.setComputeUnitLimit({ units: 1 }))],
    /gives no tokens/,
  ],
  'tokens of the wallet': [ofTokens, [send(own, ata(attacker), wallet)], /tokens of the wallet/],
  'tokens of a multisig account that the wallet signs for': [
    ofTokens,
    [
      createTransferCheckedInstruction(ata(otherMint), mint, ata(attacker), otherMint, AMOUNT, DECIMALS, [
        wallet,
      ]),
    ],
    /not of its fee payer/,
  ],
  'tokens for another wallet': [
    ofTokens,
    [alsoSigned(send(ata(payer), ata(attacker), payer))],
    /somebody else/,
  ],
  'other tokens': [
    ofTokens,
    [alsoSigned(send(ata(payer, otherMint), ata(wallet, otherMint), payer, otherMint))],
    /other tokens/,
  ],
  // Other token instructions.
  'an approval': [
    ofTokens,
    [givenTokens, createApproveInstruction(own, attacker, wallet, AMOUNT)],
    /something else/,
  ],
  'a new owner for the token account': [
    ofTokens,
    [givenTokens, createSetAuthorityInstruction(own, wallet, AuthorityType.AccountOwner, attacker)],
    /something else/,
  ],
  // Burns.
  'a burn without burnToken': [ofTokens, [givenTokens, burn()], /it burns tokens/],
  'burning more': [toBurn, [givenTokens, burn(AMOUNT + 1n)], /burns more/],
  'no burning': [toBurn, [givenTokens], /does not burn/],
  'a burn without a payment': [toBurn, [burn()], /gives no tokens/],
  'burning other tokens': [
    toBurn,
    [givenTokens, burn(AMOUNT, ata(wallet, otherMint), otherMint)],
    /other tokens/,
  ],
  'burning as a signer of a multisig account': [
    toBurn,
    [givenTokens, createBurnCheckedInstruction(own, mint, otherMint, AMOUNT, DECIMALS, [wallet])],
    /other tokens/,
  ],
  // Closed accounts.
  'a close without burnToken': [ofTokens, [create(), givenTokens, close(wallet)], /closes an account/],
  'closing the wrapped SOL account': [
    toBurnWrapped,
    [close(attacker, ata(wallet, NATIVE_MINT_ADDRESS))],
    /wrapped SOL/,
  ],
  'the rent of an account': [toBurn, [givenTokens, burn(), close(attacker)], /rent of an account/],
  'the rent of an account that may have existed before': [
    toBurn,
    [createIfMissing(), givenTokens, burn(), close(payer)],
    /rent of an account/,
  ],
  'closing as a signer of a multisig account': [
    toBurn,
    [create(), givenTokens, burn(), createCloseAccountInstruction(own, attacker, otherMint, [wallet])],
    /closes an account/,
  ],
  'closing twice': [
    toBurn,
    [create(), givenTokens, burn(), close(payer), close(payer, ata(wallet, otherMint))],
    /close where none belongs/,
  ],
};

describe('the claim check before signing', () => {
  let server: ServedNode;
  let client: RewardsClient;
  let tx = '';
  const check = {
    /** The unclaimed amounts that the service reports, one per request; the last one repeats. */
    said: [] as bigint[],
    timesAsked: 0,
    timesSigned: 0,
  };
  const signing: ClaimingWallet = {
    ...keypairWallet(keypair),
    signTransaction: (transaction) => {
      check.timesSigned += 1;
      return keypairWallet(keypair).signTransaction(transaction);
    },
  };

  before(async () => {
    server = await serveHttp((request, response) => {
      request.resume();
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(
          request.method === 'GET' ? rewardsAnswer() : JSON.stringify({ status: 'success', data: { tx } }),
        );
    });
    client = new RewardsClient({ baseUrl: server.url, retries: 0 });
  });
  after(() => server.stop());
  beforeEach(() => {
    check.timesAsked = 0;
    check.timesSigned = 0;
    check.said = [0n];
  });

  function rewardsAnswer(): string {
    check.timesAsked += 1;
    const amount = String(check.said.length > 1 ? check.said.shift() : check.said[0]);
    const amounts = `{"sol":${amount},"solUi":"","token":${amount},"tokenUi":""}`;
    return `{"status":"success","data":{"unclaimedRewards":${amounts},"allTimeRewards":${amounts}}}`;
  }

  const answerWith = (transaction: VersionedTransaction) =>
    (tx = Buffer.from(transaction.serialize()).toString('base64'));
  const claim = (request: ClaimRequest) => {
    const connection = { sendRawTransaction: () => Promise.reject(new Error('it was submitted')) };
    return client.claim(signing, request, { connection, pollMs: 1 });
  };

  describe('refuses', function () {
    // A claim that passes is submitted again and again.
    this.timeout(5_000);
    for (const [name, [request, hostile, problem]] of Object.entries(HOSTILE))
      it(name, async () => {
        answerWith(new VersionedTransaction(Array.isArray(hostile) ? compiled(hostile) : hostile));
        const { message } = await rejection(claim(request), UntrustedTransactionError);
        expect(message).to.match(problem);
        expect(check.timesSigned).to.equal(0);
      });
  });

  describe('accepts what the service builds:', () => {
    const order = (request: ClaimRequest) => ({
      wallet,
      mint,
      asset: request.claimType,
      amount: 20_000n,
      burn: request.burnToken === true,
    });
    const cases: [string, ClaimRequest, walletHasAccount: boolean][] = [
      ['SOL', ofSol, false],
      ['tokens', ofTokens, true],
      ['tokens, to an account that the claim opens', ofTokens, false],
      ['tokens to burn', toBurn, true],
      ['tokens to burn in an account that the claim opens and closes', toBurn, false],
    ];
    for (const [name, request, walletHasAccount] of cases)
      it(name, async () => {
        const costs = { blockhash: BLOCKHASH, networkFee: 10_000n, walletHasAccount };
        answerWith(await claimTransaction(localSigner(treasury), order(request), costs));
        check.said = [20_000n];
        const { signature, transaction, amount } = await client.initiate(signing, request);
        expect(signature).to.equal(bs58.encode(transaction.slice(1, 65)));
        expect(amount).to.equal(request.claimType === 'SOL' ? 10_000n : 20_000n);
        expect(check.timesAsked).to.equal(1);
      });
  });

  describe('accepts variations that cost the wallet nothing:', () => {
    const priority = [
      ComputeBudgetProgram.setComputeUnitLimit({ units: 100_000 }),
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1_000_000 }),
    ];
    const cases: [string, ClaimRequest, TransactionInstruction[]][] = [
      ['a priority fee', ofSol, [...priority, givenSol]],
      ['SOL in two parts', ofSol, [givenSol, givenSol]],
      [
        'closing the account with its rent to the wallet',
        toBurn,
        [createIfMissing(), givenTokens, burn(), close(wallet)],
      ],
      [
        'the create instruction with explicit data',
        toBurn,
        [withData(create(), Uint8Array.of(0)), givenTokens, burn(), close(payer)],
      ],
    ];
    for (const [name, request, instructions] of cases)
      it(name, async () => {
        answerWith(new VersionedTransaction(compiled(instructions)));
        await client.initiate(signing, request);
      });
  });

  describe('compares the amount of the transaction with the amount that the API reported:', () => {
    const MUCH = 2_000_000_000n;
    const gives = (request: ClaimRequest, amount: bigint, ...more: TransactionInstruction[]) => {
      const given = request.claimType === 'SOL' ? transfer(payer, wallet, amount) : undefined;
      const instruction = alsoSigned(given ?? send(ata(payer), own, payer, mint, amount));
      answerWith(new VersionedTransaction(compiled([...more, instruction])));
    };
    const underpaid = (request: ClaimRequest) => rejection(claim(request), UnderpaidClaimError);

    for (const request of [ofSol, ofTokens]) {
      it(`refuses 1 base unit of ${request.claimType} when more is due`, async () => {
        gives(request, 1n);
        check.said = [MUCH, 0n];
        const error = await underpaid(request);
        expect(error).to.be.instanceOf(UntrustedTransactionError);
        expect(error).to.include({ amount: 1n, unclaimed: MUCH, remaining: 0n });
        expect(error.message).to.match(/it gives 1 \w+( \w+)? where the service said that 2000000000 are/);
        expect([check.timesAsked, check.timesSigned]).to.deep.equal([2, 0]);
      });

      it(`accepts less ${request.claimType} when the API reports the rest as still unclaimed`, async () => {
        gives(request, 500_000_000n);
        check.said = [MUCH, 1_500_000_000n];
        expect((await client.initiate(signing, request)).amount).to.equal(500_000_000n);
        check.said = [MUCH, 1_400_000_000n];
        expect((await underpaid(request)).remaining).to.equal(1_400_000_000n);
      });

      it(`trusts the amount of ${request.claimType} that the caller passed, without asking the API`, async () => {
        gives(request, MUCH);
        await client.initiate(signing, { ...request, unclaimed: MUCH });
        expect(check.timesAsked).to.equal(0);
        expect((await underpaid({ ...request, unclaimed: 2n * MUCH })).unclaimed).to.equal(2n * MUCH);
        const wrong = { ...request, unclaimed: 1 as unknown as bigint };
        expect((await rejection(client.initiate(signing, wrong), Error)).message).to.match(
          /^unclaimed is the/,
        );
      });
    }

    it('lets a SOL claim pay its own network fee, and no more', async () => {
      const price = (microLamports: bigint) => ComputeBudgetProgram.setComputeUnitPrice({ microLamports });
      for (const [most, ...priority] of [
        [10_000n],
        // 20,000 units at 2 lamports.
        [50_000n, ComputeBudgetProgram.setComputeUnitLimit({ units: 20_000 }), price(2_000_000n)],
        [100_000n, price(10n ** 12n)],
      ] as const) {
        gives(ofSol, MUCH - most, ...priority);
        await client.initiate(signing, { ...ofSol, unclaimed: MUCH });
        gives(ofSol, MUCH - most - 1n, ...priority);
        await underpaid({ ...ofSol, unclaimed: MUCH });
      }
    });

    it('refuses a token claim that deducts a fee', async () => {
      gives(ofTokens, MUCH - 1n);
      await underpaid({ ...ofTokens, unclaimed: MUCH });
    });
  });
});

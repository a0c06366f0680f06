import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  AuthorityType,
  createApproveInstruction,
  createAssociatedTokenAccountIdempotentInstruction,
  createAssociatedTokenAccountInstruction,
  createBurnCheckedInstruction,
  createBurnInstruction,
  createCloseAccountInstruction,
  createRecoverNestedInstruction,
  createSetAuthorityInstruction,
  createSyncNativeInstruction,
  createTransferCheckedInstruction,
  createTransferInstruction,
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
import { associatedTokenAddress } from '@curvekit/sdk';
import {
  RewardsClient,
  UnderpaidClaimError,
  UntrustedTransactionError,
  type ClaimingWallet,
  type ClaimRequest,
} from '@curvekit/sdk/rewards';
import { claimTransaction } from '#app/claims/transaction.js';
import { NATIVE_MINT_ADDRESS } from '#sdk/generated/program.js';
import { rejection } from '#tests/mocha/failures.js';
import { signText } from '#tests/service/partner-service.js';
import bs58 from 'bs58';

const AMOUNT = 1_000n;
const DECIMALS = 6;
const BLOCKHASH = '1'.repeat(32);

const keypair = Keypair.generate();
const wallet = keypair.publicKey;
/** Pays the fee: an honest service's treasury, or any account that a hostile service names. */
const treasury = Keypair.generate();
const payer = treasury.publicKey;
const attacker = Keypair.generate().publicKey;
const mint = Keypair.generate().publicKey;
const otherMint = Keypair.generate().publicKey;

const ata = (owner: PublicKey, ofMint = mint) => associatedTokenAddress(owner, ofMint).address;
const own = ata(wallet);

/** Adds an account that signs, which the programs do not mind. */
function alsoSigned(instruction: TransactionInstruction, by = wallet): TransactionInstruction {
  const signer = { pubkey: by, isSigner: true, isWritable: false };
  return new TransactionInstruction({ ...instruction, keys: [...instruction.keys, signer] });
}

/** With other data. */
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

/** What an honest claim of each kind does. */
const givenSol = alsoSigned(transfer(payer, wallet));
const givenTokens = alsoSigned(send(ata(payer), own, payer));

const ofSol = { tokenAddress: mint, claimType: 'SOL' } as const;
const ofTokens = { tokenAddress: mint, claimType: 'TOKEN' } as const;
const toBurn = { ...ofTokens, burnToken: true } as const;
const toBurnWrapped = { ...toBurn, tokenAddress: NATIVE_MINT_ADDRESS } as const;

function compiled(instructions: TransactionInstruction[], payerKey = payer): VersionedMessage {
  return new TransactionMessage({
    payerKey,
    instructions,
    recentBlockhash: BLOCKHASH,
  }).compileToV0Message();
}

/** As `compiled`, with an account looked up. */
function withLookup(instructions: TransactionInstruction[], address: PublicKey): VersionedMessage {
  const table = new AddressLookupTableAccount({
    key: Keypair.generate().publicKey,
    state: {
      deactivationSlot: 2n ** 64n - 1n,
      lastExtendedSlot: 0,
      lastExtendedSlotStartIndex: 0,
      addresses: [address],
    },
  });
  return new TransactionMessage({
    payerKey: payer,
    instructions,
    recentBlockhash: BLOCKHASH,
  }).compileToV0Message([table]);
}

describe('the check of a claim before it is signed', () => {
  let server: Server;
  let client: RewardsClient;
  let tx = '';
  /** What the service says is unclaimed, one after the other. */
  let said: bigint[] = [];
  let timesAsked = 0;
  let timesSigned = 0;
  const signing: ClaimingWallet = {
    publicKey: wallet,
    signMessage: (message) =>
      Promise.resolve(bs58.decode(signText(keypair, Buffer.from(message).toString()))),
    signTransaction: (transaction) => {
      timesSigned += 1;
      transaction.sign([keypair]);
      return Promise.resolve(transaction);
    },
  };

  before(async () => {
    server = createServer((request, response) => {
      request.resume();
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(
          request.method === 'GET' ? rewardsAnswer() : JSON.stringify({ status: 'success', data: { tx } }),
        );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    client = new RewardsClient({ baseUrl: `http://127.0.0.1:${port}`, retries: 0 });
  });
  after(() => new Promise((resolve) => server.close(resolve)));
  beforeEach(() => {
    timesAsked = 0;
    timesSigned = 0;
    said = [0n];
  });

  function rewardsAnswer(): string {
    timesAsked += 1;
    const amount = String(said.length > 1 ? said.shift() : said[0]);
    const amounts = `{"sol":${amount},"solUi":"","token":${amount},"tokenUi":""}`;
    return `{"status":"success","data":{"unclaimedRewards":${amounts},"allTimeRewards":${amounts}}}`;
  }

  const answerWith = (transaction: VersionedTransaction) =>
    (tx = Buffer.from(transaction.serialize()).toString('base64'));
  const refusalOf = async (request: ClaimRequest): Promise<string> => {
    const connection = { sendRawTransaction: () => Promise.reject(new Error('it was submitted')) };
    const { message } = await rejection(
      client.claim(signing, request, { connection, pollMs: 1 }),
      UntrustedTransactionError,
    );
    expect(timesSigned).to.equal(0);
    return message;
  };

  describe('lets through what the service makes:', () => {
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
      ['tokens, to an account that is opened', ofTokens, false],
      ['tokens to burn', toBurn, true],
      ['tokens to burn in an account that is opened and closed', toBurn, false],
    ];
    for (const [name, request, walletHasAccount] of cases) {
      it(name, async () => {
        const costs = { blockhash: BLOCKHASH, networkFee: 10_000n, walletHasAccount };
        answerWith(claimTransaction(treasury, order(request), costs));
        said = [20_000n];
        const { signature, transaction, amount } = await client.initiate(signing, request);
        expect(signature).to.equal(bs58.encode(transaction.signatures[0]!));
        expect(amount).to.equal(request.claimType === 'SOL' ? 10_000n : 20_000n);
        expect(timesAsked).to.equal(1);
      });
    }
  });

  describe('lets through what costs the wallet nothing either:', () => {
    const priority = [
      ComputeBudgetProgram.setComputeUnitLimit({ units: 100_000 }),
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1_000_000 }),
    ];
    const cases: [string, ClaimRequest, TransactionInstruction[]][] = [
      ['a priority fee', ofSol, [...priority, givenSol]],
      ['SOL in two parts', ofSol, [givenSol, givenSol]],
      [
        'closing with the rent to the wallet',
        toBurn,
        [createIfMissing(), givenTokens, burn(), close(wallet)],
      ],
      [
        'the longer form of opening an account',
        toBurn,
        [withData(create(), Uint8Array.of(0)), givenTokens, burn(), close(payer)],
      ],
    ];
    for (const [name, request, instructions] of cases) {
      it(name, async () => {
        answerWith(new VersionedTransaction(compiled(instructions)));
        await client.initiate(signing, request);
      });
    }
  });

  describe('compares what it gives with what the API said:', () => {
    const MUCH = 2_000_000_000n;
    const gives = (request: ClaimRequest, amount: bigint, ...more: TransactionInstruction[]) => {
      const given = request.claimType === 'SOL' ? transfer(payer, wallet, amount) : undefined;
      const instruction = alsoSigned(given ?? send(ata(payer), own, payer, mint, amount));
      answerWith(new VersionedTransaction(compiled([...more, instruction])));
    };
    const underpaid = (request: ClaimRequest) =>
      rejection(
        client.claim(signing, request, {
          connection: { sendRawTransaction: () => Promise.reject(new Error('it was submitted')) },
          pollMs: 1,
        }),
        UnderpaidClaimError,
      );

    for (const request of [ofSol, ofTokens]) {
      it(`refuses a unit of ${request.claimType} where more was due`, async () => {
        gives(request, 1n);
        said = [MUCH, 0n];
        const error = await underpaid(request);
        expect(error).to.be.instanceOf(UntrustedTransactionError);
        expect(error).to.include({ amount: 1n, unclaimed: MUCH, remaining: 0n });
        expect(error.message).to.match(/it gives 1 \w+( \w+)? where the service said that 2000000000 are/);
        expect([timesAsked, timesSigned]).to.deep.equal([2, 0]);
      });

      it(`lets ${request.claimType} wait for finality that the API says remains`, async () => {
        gives(request, 500_000_000n);
        said = [MUCH, 1_500_000_000n];
        expect((await client.initiate(signing, request)).amount).to.equal(500_000_000n);
        said = [MUCH, 1_400_000_000n];
        expect((await underpaid(request)).remaining).to.equal(1_400_000_000n);
      });

      it(`goes by what the caller was told of ${request.claimType}, without asking`, async () => {
        gives(request, MUCH);
        await client.initiate(signing, { ...request, unclaimed: MUCH });
        expect(timesAsked).to.equal(0);
        expect((await underpaid({ ...request, unclaimed: 2n * MUCH })).unclaimed).to.equal(2n * MUCH);
        const wrong = { ...request, unclaimed: 1 as unknown as bigint };
        expect((await rejection(client.initiate(signing, wrong), Error)).message).to.match(
          /^unclaimed is the/,
        );
      });
    }

    it('lets a claim of SOL pay its own network fee, and no more', async () => {
      gives(ofSol, MUCH - 10_000n);
      await client.initiate(signing, { ...ofSol, unclaimed: MUCH });
      gives(ofSol, MUCH - 10_001n);
      await underpaid({ ...ofSol, unclaimed: MUCH });
      // 20,000 units at 2 lamports.
      const priority = [
        ComputeBudgetProgram.setComputeUnitLimit({ units: 20_000 }),
        ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 2_000_000 }),
      ];
      gives(ofSol, MUCH - 50_000n, ...priority);
      await client.initiate(signing, { ...ofSol, unclaimed: MUCH });
      gives(ofSol, MUCH - 50_001n, ...priority);
      await underpaid({ ...ofSol, unclaimed: MUCH });
      const dear = ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 10n ** 12n });
      gives(ofSol, MUCH - 100_000n, dear);
      await client.initiate(signing, { ...ofSol, unclaimed: MUCH });
      gives(ofSol, MUCH - 100_001n, dear);
      await underpaid({ ...ofSol, unclaimed: MUCH });
    });

    it('lets no fee be taken from a claim of tokens', async () => {
      gives(ofTokens, MUCH - 1n);
      await underpaid({ ...ofTokens, unclaimed: MUCH });
    });
  });

  describe('refuses', () => {
    const cases: [
      name: string,
      request: ClaimRequest,
      TransactionInstruction[] | VersionedMessage,
      problem: RegExp,
    ][] = [
      // The envelope.
      ['a fee of the wallet', ofSol, compiled([transfer(payer, wallet)], wallet), /would pay its fee/],
      ['a claim that needs no signature', ofSol, [transfer(payer, wallet)], /no signature of the wallet/],
      ['a third signer', ofSol, [alsoSigned(givenSol, attacker)], /signature of somebody else/],
      ['nothing at all', ofSol, [], /no signature of the wallet/],
      [
        'no payer',
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
      [
        'a message of another version',
        ofSol,
        new TransactionMessage({
          payerKey: payer,
          instructions: [givenSol],
          recentBlockhash: BLOCKHASH,
        }).compileToLegacyMessage(),
        /version legacy/,
      ],
      [
        'an address that is looked up',
        ofTokens,
        withLookup([alsoSigned(send(ata(payer), own, payer))], ata(payer)),
        /looks addresses up/,
      ],
      [
        'an account that does not exist',
        ofSol,
        new MessageV0({
          header: { numRequiredSignatures: 2, numReadonlySignedAccounts: 1, numReadonlyUnsignedAccounts: 0 },
          staticAccountKeys: [payer, wallet],
          recentBlockhash: BLOCKHASH,
          compiledInstructions: [{ programIdIndex: 9, accountKeyIndexes: [7], data: new Uint8Array() }],
          addressTableLookups: [],
        }),
        /calls undefined/,
      ],
      [
        'a program of somebody',
        ofSol,
        [givenSol, alsoSigned(new TransactionInstruction({ programId: attacker, keys: [] }))],
        /it calls /,
      ],

      // SOL.
      [
        'only priority',
        ofSol,
        [alsoSigned(ComputeBudgetProgram.setComputeUnitLimit({ units: 1 }))],
        /gives no SOL/,
      ],
      ['SOL of the wallet', ofSol, [transfer(wallet, attacker)], /wallet would pay/],
      ['SOL back', ofSol, [givenSol, transfer(wallet, payer)], /wallet would pay/],
      ['SOL for somebody else', ofSol, [alsoSigned(transfer(payer, attacker))], /pays somebody else/],
      [
        'SOL with other accounts',
        ofSol,
        [new TransactionInstruction({ ...givenSol, keys: [...givenSol.keys, givenTokens.keys[0]!] })],
        /has other accounts/,
      ],
      ['zero SOL', ofSol, [alsoSigned(transfer(payer, wallet, 0n))], /gives no SOL/],
      ['tokens for SOL', ofSol, [givenTokens], /it calls /],
      [
        'a new owner for the wallet',
        ofSol,
        [givenSol, SystemProgram.assign({ accountPubkey: wallet, programId: attacker })],
        /more than transfer SOL/,
      ],
      [
        'SOL of an account that was made with the wallet as its base',
        ofSol,
        [
          SystemProgram.transfer({
            fromPubkey: attacker,
            basePubkey: wallet,
            toPubkey: payer,
            lamports: AMOUNT,
            seed: 'savings',
            programId: SystemProgram.programId,
          }),
        ],
        /more than transfer SOL/,
      ],
      [
        'a claim that can land at any time',
        ofSol,
        [SystemProgram.nonceAdvance({ noncePubkey: attacker, authorizedPubkey: wallet }), givenSol],
        /more than transfer SOL/,
      ],
      [
        'a transfer that is cut short',
        ofSol,
        [withData(givenSol, Uint8Array.of(2, 0))],
        /more than transfer SOL/,
      ],

      // Opening accounts.
      ['an account that the wallet pays', ofTokens, [create(wallet), givenTokens], /wallet would pay/],
      [
        'an account of another wallet',
        ofTokens,
        [create(payer, attacker), givenTokens],
        /opens another account/,
      ],
      [
        'an account of another token',
        ofTokens,
        [create(payer, wallet, otherMint), givenTokens],
        /opens another/,
      ],
      [
        'an account of the other token program',
        ofTokens,
        [
          createAssociatedTokenAccountInstruction(payer, own, wallet, mint, TOKEN_2022_PROGRAM_ID),
          givenTokens,
        ],
        /opens another account/,
      ],
      [
        'recovering nested accounts',
        ofTokens,
        [
          createRecoverNestedInstruction(ata(own), otherMint, ata(wallet, otherMint), own, mint, wallet),
          givenTokens,
        ],
        /more than open an account/,
      ],

      // Sending tokens.
      [
        'no tokens',
        ofTokens,
        [create(), alsoSigned(ComputeBudgetProgram.setComputeUnitLimit({ units: 1 }))],
        /gives no tokens/,
      ],
      [
        'tokens with other accounts',
        ofTokens,
        [new TransactionInstruction({ ...givenTokens, keys: [...givenTokens.keys, givenSol.keys[0]!] })],
        /has other accounts/,
      ],
      ['zero tokens', ofTokens, [alsoSigned(send(ata(payer), own, payer, mint, 0n))], /gives no tokens/],
      ['SOL for tokens', ofTokens, [givenSol], /it calls /],
      ['tokens of the wallet', ofTokens, [send(own, ata(attacker), wallet)], /tokens of the wallet/],
      [
        'other tokens of the wallet',
        ofTokens,
        [givenTokens, send(ata(wallet, otherMint), ata(attacker, otherMint), wallet, otherMint)],
        /transfer where none belongs/,
      ],
      [
        'tokens of a multisig account of which the wallet is a signer',
        ofTokens,
        [
          createTransferCheckedInstruction(ata(otherMint), mint, ata(attacker), otherMint, AMOUNT, DECIMALS, [
            wallet,
          ]),
        ],
        /not of its fee payer/,
      ],
      [
        'tokens of a multisig account, for the wallet',
        ofTokens,
        [createTransferCheckedInstruction(ata(otherMint), mint, own, otherMint, AMOUNT, DECIMALS, [wallet])],
        /not of its fee payer/,
      ],
      [
        'tokens that the wallet has already',
        ofTokens,
        [alsoSigned(send(own, own, payer))],
        /sends tokens of the wallet/,
      ],
      [
        'tokens for somebody else',
        ofTokens,
        [alsoSigned(send(ata(payer), ata(attacker), payer))],
        /somebody else/,
      ],
      [
        'other tokens',
        ofTokens,
        [alsoSigned(send(ata(payer, otherMint), ata(wallet, otherMint), payer, otherMint))],
        /other tokens/,
      ],
      [
        'a transfer that is cut short',
        ofTokens,
        [withData(givenTokens, Uint8Array.of(12, 1))],
        /something else/,
      ],
      [
        'an unchecked transfer',
        ofTokens,
        [givenTokens, createTransferInstruction(own, ata(attacker), wallet, AMOUNT)],
        /something else/,
      ],

      // What else the token program does.
      [
        'an approval',
        ofTokens,
        [givenTokens, createApproveInstruction(own, attacker, wallet, AMOUNT)],
        /something else/,
      ],
      [
        'another owner of the account',
        ofTokens,
        [givenTokens, createSetAuthorityInstruction(own, wallet, AuthorityType.AccountOwner, attacker)],
        /something else/,
      ],
      [
        'anything unknown',
        ofTokens,
        [givenTokens, withData(close(wallet), Uint8Array.of(255, 1, 2))],
        /something else/,
      ],
      ['synchronizing', ofTokens, [givenTokens, createSyncNativeInstruction(own)], /something else/],

      // Burning.
      ['burning that nobody asked for', ofTokens, [givenTokens, burn()], /it burns tokens/],
      ['burning more', toBurn, [givenTokens, burn(AMOUNT + 1n)], /burns more/],
      ['burning less', toBurn, [givenTokens, burn(AMOUNT - 1n)], /does not burn/],
      ['no burning', toBurn, [givenTokens], /does not burn/],
      ['burning twice', toBurn, [givenTokens, burn(1n), burn(AMOUNT - 1n)], /burn where none belongs/],
      ['burning without a gift', toBurn, [burn()], /gives no tokens/],
      [
        'burning what the wallet has, sent to itself',
        toBurn,
        [alsoSigned(send(own, own, payer)), burn()],
        /of the wallet/,
      ],
      [
        'burning other tokens',
        toBurn,
        [givenTokens, burn(AMOUNT, ata(wallet, otherMint), otherMint)],
        /other tokens/,
      ],
      ['burning in another account', toBurn, [givenTokens, burn(AMOUNT, attacker)], /other tokens/],
      [
        'burning that names no amount of decimals',
        toBurn,
        [givenTokens, createBurnInstruction(own, mint, wallet, AMOUNT)],
        /something else/,
      ],
      [
        'burning as a signer of a multisig account',
        toBurn,
        [givenTokens, createBurnCheckedInstruction(own, mint, otherMint, AMOUNT, DECIMALS, [wallet])],
        /other tokens/,
      ],

      // Closing.
      [
        'closing that nobody asked for',
        ofTokens,
        [create(), givenTokens, close(wallet)],
        /closes an account/,
      ],
      ['closing alone', toBurn, [close(attacker)], /may not have opened/],
      ['all wrapped SOL', toBurnWrapped, [close(attacker, ata(wallet, NATIVE_MINT_ADDRESS))], /wrapped SOL/],
      [
        'all wrapped SOL, with a gift and an account that is opened',
        toBurnWrapped,
        [
          create(payer, wallet, NATIVE_MINT_ADDRESS),
          alsoSigned(
            send(
              ata(payer, NATIVE_MINT_ADDRESS),
              ata(wallet, NATIVE_MINT_ADDRESS),
              payer,
              NATIVE_MINT_ADDRESS,
            ),
          ),
          burn(AMOUNT, ata(wallet, NATIVE_MINT_ADDRESS), NATIVE_MINT_ADDRESS),
          close(attacker, ata(wallet, NATIVE_MINT_ADDRESS)),
        ],
        /wrapped SOL/,
      ],
      ['the rent of an account', toBurn, [givenTokens, burn(), close(attacker)], /rent of an account/],
      [
        'the rent of an account that is opened if missing',
        toBurn,
        [createIfMissing(), givenTokens, burn(), close(payer)],
        /rent of an account/,
      ],
      [
        'the rent of an account that is opened anew afterwards',
        toBurn,
        [close(attacker), create(), givenTokens, burn()],
        /rent of an account/,
      ],
      [
        'the rent of an account of another token',
        toBurn,
        [create(), givenTokens, burn(), close(attacker, ata(wallet, otherMint))],
        /closes an account/,
      ],
      [
        'closing as a signer of a multisig account',
        toBurn,
        [create(), givenTokens, burn(), createCloseAccountInstruction(own, attacker, otherMint, [wallet])],
        /closes an account/,
      ],
      [
        'closing twice',
        toBurn,
        [create(), givenTokens, burn(), close(payer), close(payer, ata(wallet, otherMint))],
        /close where none belongs/,
      ],
    ];
    for (const [name, request, hostile, problem] of cases) {
      it(name, async () => {
        const message = Array.isArray(hostile) ? compiled(hostile) : hostile;
        answerWith(new VersionedTransaction(message));
        expect(await refusalOf(request)).to.match(problem);
      });
    }
  });
});

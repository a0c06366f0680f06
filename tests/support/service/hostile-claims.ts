// Claims whose message, SOL payment, account creation or token transfer would cost the wallet something.
import {
  createAssociatedTokenAccountInstruction,
  createRecoverNestedInstruction,
  createTransferCheckedInstruction,
  createTransferInstruction,
  TOKEN_2022_PROGRAM_ID,
} from '@solana/spl-token';
import {
  ComputeBudgetProgram,
  MessageV0,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
} from '@solana/web3.js';
import {
  AMOUNT,
  DECIMALS,
  BLOCKHASH,
  wallet,
  payer,
  attacker,
  mint,
  otherMint,
  ata,
  own,
  alsoSigned,
  withData,
  transfer,
  send,
  create,
  givenSol,
  givenTokens,
  ofSol,
  ofTokens,
  compiled,
  withLookup,
  type HostileClaim,
} from './claim-instructions.js';

const memo = () =>
  new TransactionInstruction({
    programId: new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'),
    keys: [],
    data: Buffer.from('curvekit claim'),
  });

export const HOSTILE_CLAIMS: readonly HostileClaim[] = [
  // The message.
  [
    'a network fee that the wallet pays',
    ofSol,
    compiled([transfer(payer, wallet)], wallet),
    /would pay its fee/,
  ],
  ["a claim without the wallet's signature", ofSol, [transfer(payer, wallet)], /no signature of the wallet/],
  ['a third signer', ofSol, [alsoSigned(givenSol, attacker)], /signature of somebody else/],
  ['no instructions', ofSol, [], /no signature of the wallet/],
  [
    'no fee payer',
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
    'an address lookup table',
    ofTokens,
    withLookup([alsoSigned(send(ata(payer), own, payer))], ata(payer)),
    /looks addresses up/,
  ],
  [
    'an account index out of range',
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
    'an unknown program',
    ofSol,
    [givenSol, alsoSigned(new TransactionInstruction({ programId: attacker, keys: [] }))],
    /it calls /,
  ],

  // SOL.
  [
    'only a compute unit limit',
    ofSol,
    [alsoSigned(ComputeBudgetProgram.setComputeUnitLimit({ units: 1 }))],
    /gives no SOL/,
  ],
  ['SOL of the wallet', ofSol, [transfer(wallet, attacker)], /wallet would pay/],
  ['SOL back', ofSol, [givenSol, transfer(wallet, payer)], /wallet would pay/],
  ['SOL for another wallet', ofSol, [alsoSigned(transfer(payer, attacker))], /pays somebody else/],
  [
    'SOL with an extra account',
    ofSol,
    [new TransactionInstruction({ ...givenSol, keys: [...givenSol.keys, givenTokens.keys[0]!] })],
    /has other accounts/,
  ],
  ['SOL with a memo', ofSol, [givenSol, memo()], /it calls MemoSq4/],
  ['SOL with a memo that the wallet signs', ofSol, [alsoSigned(memo()), givenSol], /it calls MemoSq4/],
  ['tokens with a memo', ofTokens, [memo(), givenTokens], /it calls MemoSq4/],
  ['zero SOL', ofSol, [alsoSigned(transfer(payer, wallet, 0n))], /gives no SOL/],
  ['tokens for SOL', ofSol, [givenTokens], /it calls /],
  [
    'a new owner for the wallet',
    ofSol,
    [givenSol, SystemProgram.assign({ accountPubkey: wallet, programId: attacker })],
    /more than transfer SOL/,
  ],
  [
    'SOL of an account derived from the wallet with a seed',
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
    'a durable nonce',
    ofSol,
    [SystemProgram.nonceAdvance({ noncePubkey: attacker, authorizedPubkey: wallet }), givenSol],
    /more than transfer SOL/,
  ],
  ['a truncated SOL transfer', ofSol, [withData(givenSol, Uint8Array.of(2, 0))], /more than transfer SOL/],

  // Account creation.
  ['a token account whose rent the wallet pays', ofTokens, [create(wallet), givenTokens], /wallet would pay/],
  ['an account of another wallet', ofTokens, [create(payer, attacker), givenTokens], /opens another account/],
  ['an account of another token', ofTokens, [create(payer, wallet, otherMint), givenTokens], /opens another/],
  [
    'an account of the other token program',
    ofTokens,
    [createAssociatedTokenAccountInstruction(payer, own, wallet, mint, TOKEN_2022_PROGRAM_ID), givenTokens],
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

  // Token transfers.
  [
    'no tokens',
    ofTokens,
    [create(), alsoSigned(ComputeBudgetProgram.setComputeUnitLimit({ units: 1 }))],
    /gives no tokens/,
  ],
  [
    'tokens with an extra account',
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
    'tokens of a multisig account that the wallet signs for',
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
    'tokens that the wallet already has',
    ofTokens,
    [alsoSigned(send(own, own, payer))],
    /sends tokens of the wallet/,
  ],
  [
    'tokens for another wallet',
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
  ['a truncated token transfer', ofTokens, [withData(givenTokens, Uint8Array.of(12, 1))], /something else/],
  [
    'an unchecked transfer',
    ofTokens,
    [givenTokens, createTransferInstruction(own, ata(attacker), wallet, AMOUNT)],
    /something else/,
  ],
];

// Claims with an envelope, a payment of SOL, an account or a transfer of tokens that would cost the wallet something.
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

export const HOSTILE_CLAIMS: readonly HostileClaim[] = [
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
  ['a transfer that is cut short', ofTokens, [withData(givenTokens, Uint8Array.of(12, 1))], /something else/],
  [
    'an unchecked transfer',
    ofTokens,
    [givenTokens, createTransferInstruction(own, ata(attacker), wallet, AMOUNT)],
    /something else/,
  ],
];

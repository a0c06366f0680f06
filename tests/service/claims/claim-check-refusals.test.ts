import { VersionedTransaction } from '@solana/web3.js';
import { expect } from 'chai';
import { compiled } from '#tests/service/claim-instructions.js';
import { useClaimCheck } from '#tests/service/claim-check.js';
import { HOSTILE_CLAIMS } from '#tests/service/hostile-claims.js';
import {
  AuthorityType,
  createApproveInstruction,
  createBurnCheckedInstruction,
  createBurnInstruction,
  createCloseAccountInstruction,
  createSetAuthorityInstruction,
  createSyncNativeInstruction,
} from '@solana/spl-token';
import { NATIVE_MINT_ADDRESS } from '#sdk/generated/program.js';
import {
  AMOUNT,
  DECIMALS,
  wallet,
  payer,
  attacker,
  mint,
  otherMint,
  ata,
  own,
  alsoSigned,
  withData,
  send,
  burn,
  close,
  create,
  createIfMissing,
  givenTokens,
  ofTokens,
  toBurn,
  toBurnWrapped,
  type HostileClaim,
} from '#tests/service/claim-instructions.js';

// Claims that would cost the wallet something through other token instructions: approvals, burns, closed accounts.

const HOSTILE_BURNS: readonly HostileClaim[] = [
  // Other token instructions.
  [
    'an approval',
    ofTokens,
    [givenTokens, createApproveInstruction(own, attacker, wallet, AMOUNT)],
    /something else/,
  ],
  [
    'a new owner for the token account',
    ofTokens,
    [givenTokens, createSetAuthorityInstruction(own, wallet, AuthorityType.AccountOwner, attacker)],
    /something else/,
  ],
  [
    'an unknown token instruction',
    ofTokens,
    [givenTokens, withData(close(wallet), Uint8Array.of(255, 1, 2))],
    /something else/,
  ],
  ['a sync of wrapped SOL', ofTokens, [givenTokens, createSyncNativeInstruction(own)], /something else/],

  // Burns.
  ['a burn without burnToken', ofTokens, [givenTokens, burn()], /it burns tokens/],
  ['burning more', toBurn, [givenTokens, burn(AMOUNT + 1n)], /burns more/],
  ['burning less', toBurn, [givenTokens, burn(AMOUNT - 1n)], /does not burn/],
  ['no burning', toBurn, [givenTokens], /does not burn/],
  ['burning twice', toBurn, [givenTokens, burn(1n), burn(AMOUNT - 1n)], /burn where none belongs/],
  ['a burn without a payment', toBurn, [burn()], /gives no tokens/],
  [
    "burning the wallet's own tokens, sent to itself",
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
    'an unchecked burn',
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

  // Closed accounts.
  ['a close without burnToken', ofTokens, [create(), givenTokens, close(wallet)], /closes an account/],
  ['only a close', toBurn, [close(attacker)], /may not have opened/],
  [
    'closing the wrapped SOL account',
    toBurnWrapped,
    [close(attacker, ata(wallet, NATIVE_MINT_ADDRESS))],
    /wrapped SOL/,
  ],
  [
    'closing the wrapped SOL account, after a payment and its creation',
    toBurnWrapped,
    [
      create(payer, wallet, NATIVE_MINT_ADDRESS),
      alsoSigned(
        send(ata(payer, NATIVE_MINT_ADDRESS), ata(wallet, NATIVE_MINT_ADDRESS), payer, NATIVE_MINT_ADDRESS),
      ),
      burn(AMOUNT, ata(wallet, NATIVE_MINT_ADDRESS), NATIVE_MINT_ADDRESS),
      close(attacker, ata(wallet, NATIVE_MINT_ADDRESS)),
    ],
    /wrapped SOL/,
  ],
  ['the rent of an account', toBurn, [givenTokens, burn(), close(attacker)], /rent of an account/],
  [
    'the rent of an account that may have existed before',
    toBurn,
    [createIfMissing(), givenTokens, burn(), close(payer)],
    /rent of an account/,
  ],
  [
    'the rent of an account that is created again afterwards',
    toBurn,
    [close(attacker), create(), givenTokens, burn()],
    /rent of an account/,
  ],
  [
    "the rent of another token's account",
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

describe('the claim check before signing refuses', () => {
  const { answerWith, refusalOf } = useClaimCheck();

  for (const [name, request, hostile, problem] of [...HOSTILE_CLAIMS, ...HOSTILE_BURNS]) {
    it(name, async () => {
      const message = Array.isArray(hostile) ? compiled(hostile) : hostile;
      answerWith(new VersionedTransaction(message));
      expect(await refusalOf(request)).to.match(problem);
    });
  }
});

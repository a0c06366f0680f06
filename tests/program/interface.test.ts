// Integrators hard-code the names, order, flags and types of the program's interface, so they must not change. The
// tables below are written by hand on purpose: a change of the IDL must fail here first.
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import {
  ADMIN_SET_PROPERTIES_ACCOUNTS,
  BUY_TOKEN_ACCOUNTS,
  CREATE_TOKEN_ACCOUNTS,
  MIGRATE_ACCOUNTS,
  PROGRAM_ERRORS,
  SELL_TOKEN_ACCOUNTS,
  VALIDATE_LOG_RECORD_ACCOUNTS,
} from '@curvekit/sdk';

/** The accounts, each with M where it is writable and S where it signs, and the arguments with their types. */
const INSTRUCTIONS: Readonly<Record<string, { readonly accounts: string; readonly args: string }>> = {
  createToken: {
    accounts: `
      propertiesAccount M, payerAccount MS, tokenProgram, systemProgram, ataProgram, tokenMint M,
      tokenOwnerPda M, tokenOwnerTokenAccount M, tokenMetadataProgram, tokenMetadata M,
      afterMigrationCommunityContributionWsolStorage M,
      afterMigrationCommunityContributionTokenStorage M, rentSysvar, nativeMint, dexOwner,
      programAccount, logAuthorityAccount`,
    args: `
      pdaTokenNonce u8, uri string, name string, symbol string, afterMigrationFee u16,
      afterMigrationBurnBp u16, afterMigrationHoldersBp u16, afterMigrationLpBp u16,
      loggingAccountBump u8`,
  },
  buyToken: {
    accounts: `
      payerAccount MS, systemProgram, tokenProgram, tokenOwnerPda M, tokenMint, ownerTokenAccount M,
      userTokenAccount M, feeAccount M, propertiesAccount, programAccount, logAuthorityAccount`,
    args: 'pdaTokenNonce u8, solToSpend u64, minTokenToReceive u64, loggingAccountBump u8',
  },
  sellToken: {
    accounts: `
      payerAccount MS, tokenProgram, tokenOwnerPda M, tokenMint, ownerTokenAccount M, userTokenAccount M,
      feeAccount M, programAccount, propertiesAccount, logAuthorityAccount`,
    args: 'pdaTokenNonce u8, tokenToSpend u64, minSolToReceive u64, loggingAccountBump u8',
  },
  migrate: {
    accounts: `
      tokenMint, tokenProgram, tokenOwnerPda M, feeAccount MS, tokenOwnerTokenAccount M,
      feeTokenAccount M`,
    args: 'pdaTokenNonce u8',
  },
  validateLogRecord: {
    accounts: 'loggingAuthority S',
    args: 'loggingAccountBump u8',
  },
  adminSetProperties: {
    accounts: 'adminAccount S, propertiesAccount M, systemProgram, rentSysvar',
    args: 'initialVirtualSol u64, initialVirtualToken u64, platformFeeBps u16, bump u8',
  },
};

const ACCOUNTS: Readonly<Record<string, string>> = {
  TokenOwnerData:
    'initialized u8, virtualSol u64, virtualToken u64, afterMigrationFee u16, afterMigrationBurnBp u16',
  Properties: 'initialized u8, bump u8, initialVirtualSol u64, initialVirtualToken u64, platformFeeBps u16',
};

const ERRORS = [
  [6000, 'BondingCurveDoesNotMatchMint', 'Bonding curve does not match mint'],
  [6001, 'TradingClosed', 'Trading for this token is closed'],
  [6002, 'NotReadyToMigrate', 'Token is not ready to migrate'],
  [6003, 'SlippageError', 'Slippage error'],
  [6004, 'WrongFeeReceiver', 'Wrong fee receiver'],
  [6005, 'LogicalError', 'Logical error'],
] as const;

const SDK_ACCOUNTS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  createToken: CREATE_TOKEN_ACCOUNTS,
  buyToken: BUY_TOKEN_ACCOUNTS,
  sellToken: SELL_TOKEN_ACCOUNTS,
  migrate: MIGRATE_ACCOUNTS,
  validateLogRecord: VALIDATE_LOG_RECORD_ACCOUNTS,
  adminSetProperties: ADMIN_SET_PROPERTIES_ACCOUNTS,
};

/** The parts of an Anchor IDL that this test reads. */
interface Idl {
  readonly instructions: readonly {
    readonly name: string;
    readonly accounts: readonly {
      readonly name: string;
      readonly writable?: boolean;
      readonly signer?: boolean;
      readonly optional?: boolean;
    }[];
    readonly args: readonly IdlField[];
  }[];
  readonly accounts: readonly { readonly name: string }[];
  readonly types: readonly {
    readonly name: string;
    readonly type: { readonly fields?: readonly IdlField[] };
  }[];
  readonly errors: readonly { readonly code: number; readonly name: string; readonly msg: string }[];
}

interface IdlField {
  readonly name: string;
  readonly type: unknown;
}

describe('the interface of the program, programs/artifacts/bonding_curve.json', () => {
  const idl = JSON.parse(readFileSync('programs/artifacts/bonding_curve.json', 'utf8')) as Idl;
  const camelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const fields = (list: readonly IdlField[]) =>
    list.map(({ name, type }) => `${camelCase(name)} ${JSON.stringify(type).replaceAll('"', '')}`);
  const listed = (text: string) => text.trim().split(/,\s+/);

  it('has exactly these six instructions', () => {
    const names = idl.instructions.map(({ name }) => camelCase(name));
    expect(names).to.have.members(Object.keys(INSTRUCTIONS));
    expect(names).to.have.lengthOf(6);
  });

  for (const [name, { accounts, args }] of Object.entries(INSTRUCTIONS)) {
    const instruction = () => idl.instructions.find((candidate) => camelCase(candidate.name) === name)!;

    it(`${name} takes these accounts in this order, with these flags, none optional`, () => {
      const found = instruction().accounts.map(({ name: account, writable, signer, optional }) => {
        const flags = `${writable === true ? 'M' : ''}${signer === true ? 'S' : ''}${optional === true ? '?' : ''}`;
        return `${camelCase(account)} ${flags}`.trim();
      });
      expect(found).to.deep.equal(listed(accounts));
    });

    it(`${name} takes these arguments in this order`, () => {
      expect(fields(instruction().args)).to.deep.equal(listed(args));
    });

    it(`${name} has its accounts at the same positions in the SDK`, () => {
      const positions = listed(accounts).map((account, index) => [account.split(' ')[0], index]);
      expect(Object.entries(SDK_ACCOUNTS[name]!)).to.deep.equal(positions);
    });
  }

  it('has exactly these two account types', () => {
    expect(idl.accounts.map(({ name }) => name)).to.have.members(Object.keys(ACCOUNTS));
    expect(idl.accounts).to.have.lengthOf(2);
  });

  for (const [name, expected] of Object.entries(ACCOUNTS)) {
    it(`${name} has these fields in this order`, () => {
      const type = idl.types.find((candidate) => candidate.name === name)!;
      expect(fields(type.type.fields!)).to.deep.equal(listed(expected));
    });
  }

  it('has the errors 6000 to 6005 with these names and messages', () => {
    expect(idl.errors.map(({ code, name, msg }) => [code, name, msg])).to.deep.equal(ERRORS);
  });

  it('has the same errors in the SDK', () => {
    const found = Object.entries(PROGRAM_ERRORS).map(([code, { name, message }]) => [
      Number(code),
      name,
      message,
    ]);
    expect(found).to.deep.equal(ERRORS);
  });
});

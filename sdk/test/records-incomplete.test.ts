import { expect } from 'chai';
import { IncompleteTransactionError } from '../src/errors/index.js';
import { VALIDATE_LOG_RECORD_DISCRIMINATOR } from '../src/generated/instructions.js';
import { IDL } from '../src/idl.js';
import { decodeRecord, decodeRecords } from '../src/index.js';
import { asJson, asV0, recordCall, SIGNATURE, STRANGER } from './confirmed.js';

import { TRADE, tradeCall } from './record-calls.js';

describe('a transaction without inner instructions', () => {
  it('is refused when it calls the program', () => {
    const transaction = asJson({ calls: [tradeCall] });
    const bare = { ...transaction, meta: { ...transaction.meta!, innerInstructions: null } };
    expect(() => decodeRecords(bare)).to.throw(IncompleteTransactionError, 'inner instructions');
  });
});

describe('a transaction without the keys from lookup tables', () => {
  const calls = [{ program: STRANGER, inner: [tradeCall, recordCall(TRADE)] }];
  const whole = asV0({ calls }, 1);
  const bare = { ...whole, meta: { ...whole.meta!, loadedAddresses: undefined } };

  it('is refused when the missing keys could contain the log authority', () => {
    expect(decodeRecords(whole)).to.have.lengthOf(1);
    expect(() => decodeRecords(bare))
      .to.throw(IncompleteTransactionError, 'loadedAddresses')
      .with.property('signature', SIGNATURE);
  });

  it('is refused when the missing keys could contain the program, as callee of another program', () => {
    const inner = [{ ...recordCall(TRADE), accounts: [] }];
    const hidden = asV0({ calls: [{ program: STRANGER, inner }] }, 1);
    expect(() =>
      decodeRecords({ ...hidden, meta: { ...hidden.meta!, loadedAddresses: undefined } }),
    ).to.throw(IncompleteTransactionError, 'loadedAddresses');
  });

  it('is accepted when it failed, because it has no records', () => {
    expect(decodeRecords({ ...bare, meta: { ...bare.meta, err: 'AccountInUse' } })).to.deep.equal([]);
  });
});

describe('every record of the IDL', () => {
  it('has a kind', () => {
    for (const { discriminator } of IDL.events) {
      const bytes = Uint8Array.from([...discriminator, ...new Uint8Array(300)]);
      expect(decodeRecord(bytes).kind).not.to.equal('unknown');
    }
    expect(IDL.instructions.map(({ discriminator }) => [...discriminator])).to.deep.include([
      ...VALIDATE_LOG_RECORD_DISCRIMINATOR,
    ]);
  });
});

import { expect } from 'chai'; // threat: forged-record, forged-migrate-line, false-records
import fc from 'fast-check';
import { IncompleteTransactionError } from '../src/errors/index.js';
import {
  decodeEveryRecord,
  decodeLogs,
  decodeRecord,
  decodeRecords,
  recordKey,
  type ConfirmedTransaction,
} from '../src/index.js';
import { asJson, asLegacy, asV0, logLines, PROGRAM, recordCall, SIGNATURE, STRANGER } from './confirmed.js';

import {
  trade,
  create,
  migration,
  TRADE,
  CREATE,
  MIGRATION,
  FUTURE,
  tradeCall,
  migrateCall,
  source,
} from './record-calls.js';

describe('records of a transaction', () => {
  const calls = [
    { program: STRANGER },
    { program: PROGRAM, inner: [recordCall(CREATE)] },
    { program: STRANGER, inner: [{ program: PROGRAM }, recordCall(TRADE), recordCall(TRADE)] },
    migrateCall,
  ];
  const logs = [
    ...logLines(STRANGER),
    ...logLines(PROGRAM),
    ...logLines(PROGRAM),
    ...logLines(PROGRAM),
    ...logLines(PROGRAM),
    ...logLines(PROGRAM),
    ...logLines(PROGRAM, MIGRATION),
  ];
  const expected = [
    { kind: 'create', data: create, ...source(1, 0) },
    { kind: 'trade', data: trade, ...source(2, 1) },
    { kind: 'trade', data: trade, ...source(2, 2) },
    { kind: 'migrate', data: migration, ...source(3, -1) },
  ];
  const forms: [string, ConfirmedTransaction][] = [
    ['JSON', asJson({ calls, logs })],
    ['a legacy message of web3.js', asLegacy({ calls, logs })],
    ['a v0 message of web3.js', asV0({ calls, logs }, 0)],
    ['a v0 message with lookup tables', asV0({ calls, logs }, 2)],
  ];
  for (const [form, transaction] of forms) {
    it(`are decoded from ${form}, in order, each with its position`, () => {
      expect(decodeRecords(transaction)).to.deep.equal(expected);
      expect(decodeEveryRecord(transaction)).to.deep.equal(expected);
    });
  }

  it('have unique keys', () => {
    const keys = decodeRecords(asJson({ calls, logs })).map(recordKey);
    expect(new Set(keys).size).to.equal(4);
    expect(keys[3]).to.equal(`${SIGNATURE}:3:-1`);
  });

  it('are an empty list for a failed transaction, even if it logged records', () => {
    const err = { InstructionError: [3, { Custom: 6005 }] };
    expect(decodeRecords(asJson({ calls, logs, err }))).to.deep.equal([]);
    expect(decodeRecords({ ...asJson({ calls, logs }), meta: null })).to.deep.equal([]);
  });

  it('are an empty list when the program is not called', () => {
    const elsewhere = { ...recordCall(TRADE), program: STRANGER };
    const transaction = asJson({
      calls: [{ program: STRANGER, inner: [elsewhere] }],
      logs: logLines(STRANGER, MIGRATION),
    });
    expect(decodeEveryRecord(transaction)).to.deep.equal([]);
  });

  it('records of a migration are found in a call by another program', () => {
    const transaction = asJson({
      calls: [{ program: STRANGER, inner: [{ program: STRANGER }, { ...migrateCall }] }],
      logs: [
        `Program ${STRANGER.toBase58()} invoke [1]`,
        ...logLines(PROGRAM, MIGRATION).map((line) => line.replace('[1]', '[2]')),
        `Program ${STRANGER.toBase58()} success`,
      ],
    });
    expect(decodeRecords(transaction)).to.deep.equal([{ kind: 'migrate', data: migration, ...source(0, 1) }]);
  });
});

describe('data that is not a record', () => {
  const { accounts, data } = recordCall(TRADE);
  const forgeries: [string, ConfirmedTransaction][] = [
    ['is a call of another program', inside({ program: STRANGER, accounts, data })],
    ['is a call with another account', inside({ program: PROGRAM, accounts: [STRANGER], data })],
    [
      'is a call with one more account',
      inside({ program: PROGRAM, accounts: [...accounts, STRANGER], data }),
    ],
    ['is a call without an account', inside({ program: PROGRAM, accounts: [], data })],
    [
      'is a call with another instruction tag',
      inside({
        program: PROGRAM,
        accounts,
        data: Uint8Array.from(data, (byte, index) => (index === 0 ? byte ^ 1 : byte)),
      }),
    ],
    ['is an outer instruction, which the log authority cannot sign', asJson({ calls: [recordCall(TRADE)] })],
    ['is a call without a record', inside(recordCall(new Uint8Array()))],
  ];
  for (const [what, transaction] of forgeries) {
    it(what, () => expect(decodeEveryRecord(transaction)).to.deep.equal([]));
  }

  it('is data that another program logged', () => {
    const logs = [...logLines(PROGRAM), ...logLines(PROGRAM), ...logLines(STRANGER, MIGRATION)];
    const transaction = asJson({ calls: [tradeCall, { program: STRANGER }], logs });
    expect(decodeEveryRecord(transaction)).to.deep.equal([{ kind: 'trade', data: trade, ...source(0, 1) }]);
  });

  function inside(call: {
    program: typeof STRANGER;
    accounts: typeof accounts;
    data: typeof data;
  }): ConfirmedTransaction {
    return asJson({ calls: [{ program: PROGRAM, inner: [call] }] });
  }
});

describe('records of a later version', () => {
  const unknown = { kind: 'unknown', discriminator: FUTURE.slice(0, 8), data: FUTURE };
  const transaction = asJson({
    calls: [{ program: PROGRAM, inner: [recordCall(FUTURE), recordCall(TRADE)] }, { program: PROGRAM }],
    logs: [...logLines(PROGRAM), ...logLines(PROGRAM), ...logLines(PROGRAM), ...logLines(PROGRAM, FUTURE)],
  });

  it('are skipped', () => {
    expect(decodeRecords(transaction)).to.deep.equal([{ kind: 'trade', data: trade, ...source(0, 1) }]);
  });

  it('are returned by decodeEveryRecord', () => {
    expect(decodeEveryRecord(transaction)).to.deep.equal([
      { ...unknown, ...source(0, 0) },
      { kind: 'trade', data: trade, ...source(0, 1) },
      { ...unknown, ...source(1, -1) },
    ]);
  });

  it('may have more fields than this version knows', () => {
    const longer = Uint8Array.from([...TRADE, 1, 2, 3]);
    expect(decodeRecord(longer)).to.deep.equal({ kind: 'trade', data: trade });
  });

  it('are unknown when they are too short', () => {
    for (const length of [0, 5, 8, TRADE.length - 1]) {
      const cut = TRADE.slice(0, length);
      expect(decodeRecord(cut)).to.deep.equal({ kind: 'unknown', discriminator: cut.slice(0, 8), data: cut });
    }
  });

  it('never make the decoder throw', () => {
    const prefix = fc.constantFrom(TRADE, CREATE, MIGRATION, FUTURE).map((bytes) => bytes.subarray(0, 8));
    fc.assert(
      fc.property(prefix, fc.uint8Array({ maxLength: 300 }), (discriminator, rest) => {
        const { kind } = decodeRecord(Uint8Array.from([...discriminator, ...rest]));
        expect(kind).to.be.oneOf(['trade', 'create', 'migrate', 'unknown']);
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('records in logs', () => {
  it('are only migrations', () => {
    expect(decodeLogs(logLines(PROGRAM, MIGRATION))).to.deep.equal([{ kind: 'migrate', data: migration }]);
    expect(decodeLogs(logLines(STRANGER, MIGRATION))).to.deep.equal([]);
  });

  it('are required for a migration', () => {
    const logs = logLines(PROGRAM, MIGRATION);
    const lacking: (readonly string[] | null)[] = [
      null,
      [],
      [logs[0]!, 'Log truncated'],
      [logs[0]!, logs[2]!],
    ];
    for (const logMessages of lacking) {
      expect(() => decodeRecords(asJson({ calls: [migrateCall], logs: logMessages })))
        .to.throw(IncompleteTransactionError, 'log')
        .with.property('signature', SIGNATURE);
    }
  });
});

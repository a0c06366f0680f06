import { expect } from 'chai'; // threat: forged-record, forged-migrate-line, false-records
import fc from 'fast-check';
import { IncompleteTransactionError } from '../src/errors/index.js';
import { IDL } from '../src/idl.js';
import {
  decodeEveryRecord,
  decodeLogs,
  decodeRecord,
  decodeRecords,
  recordKey,
  type ConfirmedTransaction,
} from '../src/index.js';
import {
  asJson,
  asLegacy,
  asV0,
  create,
  CREATE,
  FUTURE,
  logLines,
  migrateCall,
  migration,
  MIGRATION,
  PROGRAM,
  recordCall,
  SIGNATURE,
  source,
  STRANGER,
  trade,
  TRADE,
  tradeCall,
} from './confirmed.js';
import { failedProgram, loggedData } from '../src/records/logs.js';

const MIGRATED = logLines(PROGRAM, MIGRATION);

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
      expect(recordKey(decodeRecords(transaction)[3]!)).to.equal(`${SIGNATURE}:3:-1`);
    });
  }

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

describe('a transaction that lacks what the decoder needs', () => {
  const calls = [{ program: STRANGER, inner: [tradeCall, recordCall(TRADE)] }];
  const without = (transaction: ConfirmedTransaction, part: object) => ({
    ...transaction,
    meta: { ...transaction.meta!, ...part },
  });
  const bare = without(asV0({ calls }, 1), { loadedAddresses: undefined });
  const hidden = asV0({ calls: [{ program: STRANGER, inner: [{ ...recordCall(TRADE), accounts: [] }] }] }, 1);
  for (const [lacking, transaction, says] of [
    [
      'inner instructions',
      without(asJson({ calls: [tradeCall] }), { innerInstructions: null }),
      'inner instr',
    ],
    ['keys that could be the log authority', bare, 'loadedAddresses'],
    ['keys that could be the program', without(hidden, { loadedAddresses: undefined }), 'loadedAddresses'],
    ...[null, [], [MIGRATED[0]!, 'Log truncated'], [MIGRATED[0]!, MIGRATED[2]!]].map(
      (logs) => ['the log of a migration', asJson({ calls: [migrateCall], logs }), 'log'] as const,
    ),
  ] as const) {
    it(`is refused without ${lacking}`, () => {
      expect(() => decodeRecords(transaction))
        .to.throw(IncompleteTransactionError, says)
        .with.property('signature', SIGNATURE);
    });
  }

  it('is accepted when it failed, because it has no records', () => {
    expect(decodeRecords(without(bare, { err: 'AccountInUse' }))).to.deep.equal([]);
  });
});

describe('every record of the IDL', () => {
  it('has a kind', () => {
    for (const { discriminator } of IDL.events) {
      const bytes = Uint8Array.from([...discriminator, ...new Uint8Array(300)]);
      expect(decodeRecord(bytes).kind).not.to.equal('unknown');
    }
  });
});

describe('records in logs', () => {
  it('are only migrations of the program', () => {
    expect(decodeLogs(MIGRATED)).to.deep.equal([{ kind: 'migrate', data: migration }]);
    expect(decodeLogs(logLines(STRANGER, MIGRATION))).to.deep.equal([]);
  });
});

const OURS = 'Curvtsj62BXaMwSmXD7kdYfviaWiE3tcDVQKH4KWAxSH';
const OTHER = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const DATA = 'Program data: AQID';

const invoke = (program: string, depth = 1) => `Program ${program} invoke [${depth}]`;
const success = (program: string) => `Program ${program} success`;

function positions(...lines: string[]): number[] {
  return loggedData(lines, OURS).map(({ invocation, bytes }) => {
    expect([...bytes]).to.deep.equal([1, 2, 3]);
    return invocation;
  });
}

describe('log data', () => {
  it('belongs to the program while it executes', () => {
    expect(positions(invoke(OURS), DATA, success(OURS))).to.deep.equal([0]);
  });

  it('belongs to the program when another program called it, and after a call of another program', () => {
    const lines = [
      invoke(OTHER),
      invoke(OURS, 2),
      DATA,
      invoke(OTHER, 3),
      `Program ${OTHER} consumed 100 of 200 compute units`,
      success(OTHER),
      DATA,
      success(OURS),
      success(OTHER),
      invoke(OURS),
      DATA,
      success(OURS),
    ];
    expect(positions(...lines)).to.deep.equal([0, 0, 1]);
  });

  const stranger = (...lines: string[]) => [invoke(OTHER), ...lines, success(OTHER)];
  const ours = (...lines: string[]) => [invoke(OURS), ...lines, success(OURS)];
  const forgeries: Record<string, string[]> = {
    'by another program': stranger(DATA),
    'by a program that this one calls': ours(invoke(OTHER, 2), DATA, success(OTHER)),
    'by a program that calls this one': stranger(invoke(OURS, 2), success(OURS), DATA),
    'after this one is done': [...ours(), ...stranger(DATA)],
    'outside of any program': [DATA],
    'by a program that logs an invocation of this one': stranger(`Program log: ${invoke(OURS, 2)}`, DATA),
    'by a program that logs line breaks': stranger(`Program log: x\n${invoke(OURS, 2)}\n${DATA}`),
    'as text': ours(`Program log: ${DATA}`),
    'after a cut that took the line of the program that wrote it': ours('Log truncated', DATA),
  };
  for (const [what, lines] of Object.entries(forgeries))
    it(`is ignored when written ${what}`, () => expect(positions(...lines)).to.deep.equal([]));

  it('log data that is not base64 is skipped', () => {
    expect(positions(invoke(OURS), 'Program data: ***', DATA, success(OURS))).to.deep.equal([0]);
  });

  it('with several slices yields the first slice', () => {
    expect(positions(invoke(OURS), `${DATA} BAUG`, success(OURS))).to.deep.equal([0]);
  });
});

describe('the program that failed', () => {
  const failed = (program: string) => `Program ${program} failed: custom program error: 0x1773`;

  it('is the innermost, whose failure is logged first', () => {
    const lines = [invoke(OTHER), invoke(OURS, 2), failed(OURS), failed(OTHER)];
    expect(failedProgram(lines)).to.equal(OURS);
  });

  it('is not one that another program’s log text names', () => {
    expect(failedProgram([invoke(OTHER), `Program log: ${failed(OURS)}`, failed(OTHER)])).to.equal(OTHER);
  });

  it('is not the runtime’s "failed to complete"', () => {
    const lines = [
      invoke(OURS),
      'Program failed to complete: exceeded CUs meter at BPF instruction',
      failed(OURS),
    ];
    expect(failedProgram(lines)).to.equal(OURS);
  });

  it('is undefined when the log is truncated, or no program failed', () => {
    expect(failedProgram([invoke(OTHER), 'Log truncated', failed(OTHER)])).to.equal(undefined);
    expect(failedProgram([invoke(OURS), success(OURS)])).to.equal(undefined);
  });
});

import { expect } from 'chai'; // threat: forged-migrate-line
import { failedProgram, loggedData } from '../src/records/logs.js';

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

  const forgeries: [string, string[]][] = [
    ['by another program', [invoke(OTHER), DATA, success(OTHER)]],
    [
      'by a program that this one calls',
      [invoke(OURS), invoke(OTHER, 2), DATA, success(OTHER), success(OURS)],
    ],
    [
      'by a program that calls this one',
      [invoke(OTHER), invoke(OURS, 2), success(OURS), DATA, success(OTHER)],
    ],
    ['after this one is done', [invoke(OURS), success(OURS), invoke(OTHER), DATA, success(OTHER)]],
    ['outside of any program', [DATA]],
    [
      'by a program that logs an invocation of this one',
      [invoke(OTHER), `Program log: ${invoke(OURS, 2)}`, DATA, success(OTHER)],
    ],
    [
      'by a program that logs line breaks',
      [invoke(OTHER), `Program log: x\n${invoke(OURS, 2)}\n${DATA}`, success(OTHER)],
    ],
    ['by a program that logs the data as text', [invoke(OURS), `Program log: ${DATA}`, success(OURS)]],
    [
      'after a cut that took the line of the program that wrote it',
      [invoke(OURS), 'Log truncated', DATA, success(OURS)],
    ],
  ];
  for (const [what, lines] of forgeries) {
    it(`is ignored when written ${what}`, () => expect(positions(...lines)).to.deep.equal([]));
  }

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

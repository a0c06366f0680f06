// Tests the order of checks in programs/bonding-curve/src/checks/mod.rs: when a call has two faults, the program
// reports the one that the order lists first. threat: curve-as-payer
import { GRADUATION_VIRTUAL_TOKEN, STATUS_FINALIZED, STATUS_TRADING } from '@curvekit/sdk';
import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ARTIFACTS, PROGRAM_SO } from '../../scripts/program/paths.js';
import { openArena, USUAL_TERMS } from './arena.js';
import { publicKeyOf } from './call.js';
import {
  MATCH,
  key,
  named,
  bytes,
  u64,
  state,
  fault,
  callFaults,
  missing,
  program,
  address,
  copiedSettings,
  curveFaults,
  feeReceiver,
  userTokens,
  otherTokens,
  closed,
  tradeAmounts,
  type Fault,
  type Subject,
  type World,
} from './faults.js';
import { buyCall, createCall, logCall, migrateCall, propertiesCall, sellCall } from './instructions.js';
import { outcomeOf } from './outcomes.js';
import { Pair } from './pair.js';
import { changeCurve, withReserves } from './play.js';
import { machineOf, programsBeside } from './programs.js';

const TRADE = { amount: 10n ** 9n, minimum: 0n };
const trader = ({ arena }: World) => publicKeyOf(arena.traders[0]!);
const held = ({ arena }: World) => publicKeyOf(arena.tokens[0].held[0]!);

const SUBJECTS: readonly Subject[] = [
  {
    name: 'buyToken',
    right: (world) => buyCall(world.arena.tokens[0], trader(world), held(world), TRADE),
    faults: [
      ...callFaults(0),
      ...missing(11),
      ...[1, 2].map(program),
      copiedSettings(8),
      ...[9, 10].map(address),
      ...curveFaults(4, 3, 5),
      feeReceiver(7),
      ...userTokens(6),
      otherTokens(6, 0),
      closed,
      ...tradeAmounts,
    ],
  },
  {
    name: 'sellToken',
    right: (world) => {
      const [token] = world.arena.tokens;
      changeCurve(world.pair, token, (curve) => ({ ...curve, lamports: 10n ** 12n }));
      return sellCall(token, trader(world), held(world), TRADE);
    },
    faults: [
      ...callFaults(0),
      ...missing(10),
      program(1),
      address(7),
      copiedSettings(8),
      address(9),
      ...curveFaults(3, 2, 4),
      feeReceiver(6),
      ...userTokens(5),
      otherTokens(5, 0),
      closed,
      ...tradeAmounts,
    ],
  },
  {
    name: 'migrate',
    right: (world) => {
      const { pair, arena } = world;
      const [token] = arena.tokens;
      changeCurve(pair, token, (curve) =>
        withReserves(curve, {
          initialized: STATUS_FINALIZED,
          virtualSol: 10n ** 11n,
          virtualToken: GRADUATION_VIRTUAL_TOKEN,
        }),
      );
      return migrateCall(token, publicKeyOf(token.held.at(-1)!));
    },
    faults: [
      ...callFaults(3),
      ...missing(6),
      program(1),
      ...curveFaults(0, 2, 4),
      feeReceiver(3),
      ...userTokens(5),
      otherTokens(5, -1),
      fault(
        6,
        'a curve that trades',
        '6002 NotReadyToMigrate',
        state(STATUS_TRADING, GRADUATION_VIRTUAL_TOKEN + 1n),
      ),
    ],
  },
  {
    name: 'createToken',
    right: (world) => createCall(world.arena.unborn(), trader(world), USUAL_TERMS),
    faults: [
      ...callFaults(1),
      ...missing(17, 2),
      ...[2, 3, 4, 8].map(program),
      ...[13, 14, 15, 16].map(address),
      fault(2, 'a payer that is the curve', '6005 LogicalError', (call) =>
        key(1, () => call.metas[6]!.key)(call, undefined as never),
      ),
      fault(3, "another token's curve", MATCH, key(6, named('curve of another nonce'))),
      fault(3, 'another vault', MATCH, key(7, named('wallet'))),
      fault(3, 'another nonce', MATCH, (call) => bytes(8, Uint8Array.of(call.data[8]! ^ 1))(call)),
      // The URI is the first text: a 4-byte length at offset 9, then its bytes.
      fault(7, 'an empty uri', '6005 LogicalError', (call) => {
        const uri = Buffer.from(call.data).readUInt32LE(9);
        return {
          ...call,
          data: Buffer.concat([call.data.slice(0, 9), Buffer.alloc(4), call.data.slice(13 + uri)]),
        };
      }),
    ],
  },
  {
    name: 'validateLogRecord',
    right: () => logCall(),
    faults: [
      ...callFaults(0),
      ...missing(1),
      address(0),
      fault(7, 'another bump', '6005 LogicalError', (call) =>
        bytes(8, Uint8Array.of(call.data[8]! ^ 1))(call),
      ),
    ],
  },
  {
    name: 'adminSetProperties',
    right: () =>
      propertiesCall({
        initialVirtualSol: 30_000_000_000n,
        initialVirtualToken: 1_073_000_000_000_000n,
        platformFeeBps: 100,
      }),
    faults: [
      ...callFaults(0),
      ...missing(4, 2),
      program(2),
      ...[0, 1].map(address),
      fault(7, 'no virtual SOL', '6005 LogicalError', bytes(8, u64(0n))),
    ],
  },
];

describe('the order of checks', function () {
  this.timeout(600_000);
  let pair: Pair;

  before(async () => {
    const binary = readFileSync(join(ARTIFACTS, PROGRAM_SO));
    const beside = await programsBeside((line) => console.error(`      ${line}`));
    pair = new Pair(machineOf(binary, beside), machineOf(binary, beside));
  });

  function world(): World {
    pair.reset();
    return { pair, arena: openArena(pair, 1) };
  }

  function resultOf(subject: Subject, ...faults: readonly Fault[]): string {
    const around = world();
    let call = subject.right(around);
    for (const { make } of faults) call = make(call, around);
    return outcomeOf(pair.send(call, around.arena.relayer).error ?? 'success');
  }

  for (const subject of SUBJECTS) {
    describe(subject.name, () => {
      it('Given no fault, when it is called, then it succeeds', () => {
        expect(resultOf(subject)).to.equal('success');
      });

      for (const first of subject.faults) {
        const later = subject.faults.filter(({ step }) => step > first.step);
        it(`Given ${first.what}, alone or with any later fault, when it is called, then it fails with ${first.error}`, () => {
          expect(resultOf(subject, first)).to.equal(first.error);
          for (const second of later) {
            expect(resultOf(subject, second, first), `with ${second.what}`).to.equal(first.error);
          }
        });
      }
    });
  }
});

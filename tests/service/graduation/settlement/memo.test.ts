// A settlement's memo has one form. Any other text with the same numbers is refused.
import { expect } from 'chai';
import {
  MEMO_PROGRAM_ADDRESS,
  memoInstruction,
  readMemo,
  writeMemo,
} from '#app/graduation/settlement/payment/memo.js';

const NAME = {
  ...{ id: 12, solHolders: 345n, tokenHolders: 6_789n },
  ...{ solCreatorCredited: 1_011n, tokenCreatorCredited: 1_213n },
};
const TEXT = 'curvekit settlement 12 holders 345 6789 creator 1011 1213';

describe("a settlement's memo", () => {
  it('has its id and the four amounts', () => {
    expect(writeMemo(NAME)).to.equal(TEXT);
    expect(readMemo(TEXT)).to.deep.equal(NAME);
    const { programId, keys, data } = memoInstruction(NAME);
    expect(programId.equals(MEMO_PROGRAM_ADDRESS)).to.equal(true);
    expect([keys, data.toString('utf8')]).to.deep.equal([[], TEXT]);
  });

  it('has no other form', () => {
    const others = [
      ...['', ` ${TEXT}`, `${TEXT} `, `${TEXT}0 1`, `${TEXT}x`, `x${TEXT}`, `${TEXT}\n`],
      TEXT.replace('12 ', '012 '),
      TEXT.replace(' 345 ', ' 0345 '),
      TEXT.replace(' 345 ', ' -345 '),
      TEXT.replace(' 345 ', ' x '),
      TEXT.replace('settlement', 'Settlement'),
      TEXT.replace('1213', '1213.0'),
      'curvekit settlement NaN holders 0 0 creator 0 0',
      // An id that no number holds exactly.
      TEXT.replace('12 ', '9007199254740993 '),
    ];
    for (const text of others) expect(readMemo(text), text).to.equal(undefined);
  });
});

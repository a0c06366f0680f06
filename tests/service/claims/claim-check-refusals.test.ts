import { VersionedTransaction } from '@solana/web3.js';
import { expect } from 'chai';
import { compiled } from '#tests/service/claim-instructions.js';
import { useClaimCheck } from '#tests/service/claim-check.js';
import { HOSTILE_BURNS } from '#tests/service/hostile-burns.js';
import { HOSTILE_CLAIMS } from '#tests/service/hostile-claims.js';

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

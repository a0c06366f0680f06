// The indexer on transactions that it cannot parse, and on wrong answers of the RPC node. threat: unreliable-node, newer-version-index
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import { indexerCheck } from '#app/checks.js';
import { reindex } from '#app/index/reindex.js';
import { rowsOf } from '#app/db/database.js';
import { NEVER_ABORTED, SOL } from '#tests/constants.js';
import { useAnyNode } from '#tests/service/any-node.js';

const UNSUPPORTED = {
  code: -32015,
  message:
    'Transaction version (2) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": 2',
};

describe('the indexer on unreadable answers', () => {
  const {
    at,
    openEngine,
    execute,
    newest,
    bookAll,
    expectAll,
    state,
    expectHold,
    failureOf,
    gauge,
    isFetch,
    lookAgain,
  } = useAnyNode();

  describe('with a transaction of a newer version', () => {
    it('requests every version, and reads version 1 like version 0', async () => {
      execute(3);
      const { signature } = newest();
      at.served.instead = (call) => {
        if (!isFetch(call, signature)) return undefined;
        const { maxSupportedTransactionVersion: most } = call.params[1] as Record<string, number>;
        if (!(most! >= 1)) return { error: UNSUPPORTED };
        const found = at.chain.transaction(signature, 'finalized')!;
        return { result: { ...found, version: 1 } };
      };
      await bookAll();
      await expectAll();
      expect(await failureOf(at.transactions)).to.equal('ok');
    });

    it('sets aside one that the node cannot encode, warns, and continues', async () => {
      execute(3);
      const { signature } = newest();
      at.served.instead = (call) => (isFetch(call, signature) ? { error: UNSUPPORTED } : undefined);
      execute(3);
      await bookAll();
      await expectAll(signature);
      const warning = await failureOf(at.transactions);
      expect(warning).to.match(/^CheckWarning: unreadable transactions of the program: 1, /);
      expect(warning)
        .to.include(`${signature} of version 2;`)
        .and.to.match(/upgrade Curvekit, or set RPC_URL/);
      expect(await gauge('curvekit_indexer_unreadable_transactions')).to.equal(1);
      const lines = at.logged.filter(({ msg }) => msg.includes('set aside'));
      expect(lines).to.have.lengthOf(1);
      expect(lines[0]).to.include({ signature, version: 2 });

      // Still unreadable: the next attempt comes later.
      await lookAgain();
      const [row] = await rowsOf<{ looks: number; later: boolean }>(
        at.database.queries,
        sql`select looks, look_again_at > now() as later from unreadable_transactions`,
      );
      expect(row).to.deep.equal({ looks: 1, later: true });

      // Now readable, and it holds a trade: only a reindex can book it in its place.
      at.served.instead = () => undefined;
      await lookAgain();
      expect(await failureOf(at.transactions)).to.match(
        /CheckWarning: transactions with records that are not indexed: 1; .* run curvekit reindex$/,
      );
      await reindex(at.database);
      await openEngine();
      await bookAll();
      await expectAll();
      expect(await failureOf(at.transactions)).to.equal('ok');
    });

    it('forgets one that proves to hold no record', async () => {
      execute(2, 2);
      const { signature } = newest();
      at.served.instead = (call) => (isFetch(call, signature) ? { error: UNSUPPORTED } : undefined);
      await bookAll();
      expect(await failureOf(at.transactions)).to.match(/^CheckWarning/);
      at.served.instead = () => undefined;
      await lookAgain();
      expect(await failureOf(at.transactions)).to.equal('ok');
      await expectAll();
    });

    it('sets aside one with an unknown structure, whether its version is known or not', async () => {
      const answers = [
        (found: object) => ({ ...found, version: 7, transaction: { v7: 'other' } }),
        (found: object) => ({ ...found, transaction: 'AQAB' }),
        () => 'nonsense',
        (found: object) => ({
          ...found,
          version: 7,
          // An index out of range, as if such a version stored its keys elsewhere.
          ...{ meta: { err: null, innerInstructions: [{ index: 0, instructions: [OUT_OF_RANGE] }] } },
        }),
      ];
      const broken = new Map<string, (found: object) => unknown>();
      for (const answer of answers) {
        execute(1);
        broken.set(newest().signature, answer);
      }
      execute(1);
      at.served.instead = ({ method, params }) => {
        const answer = method === 'getTransaction' ? broken.get(params[0] as string) : undefined;
        if (answer === undefined) return undefined;
        return { result: answer(at.chain.transaction(params[0] as string, 'confirmed')!) };
      };
      await bookAll();
      await expectAll(...broken.keys());
      expect(await failureOf(at.transactions)).to.match(
        /^CheckWarning: unreadable transactions of the program: 4,/,
      );
    });

    it('leaves out one that is unreadable, and shows the confirmed ones after it', async () => {
      execute(1);
      await bookAll();
      at.chain.execute([[{ kind: 'buy', token: 0, lamports: SOL }]]);
      const { signature } = at.chain.list('confirmed', { limit: 1 })[0]!;
      at.served.instead = (call) => (isFetch(call, signature) ? { error: UNSUPPORTED } : undefined);
      at.chain.execute([[{ kind: 'buy', token: 0, lamports: SOL }]]);
      await at.engine.preview(NEVER_ABORTED);
      await expectAll(signature);
      at.chain.execute([[{ kind: 'buy', token: 0, lamports: SOL }]]);
      await at.engine.preview(NEVER_ABORTED);
      await expectAll(signature);
    });
  });

  describe('on a node that lists a transaction', () => {
    const lies: [string, RegExp, (found: object, other: string) => unknown][] = [
      ['nothing', /the node lists it but does not return it; set RPC_URL/, () => null],
      [
        'another transaction',
        /the node returns transaction \w+ instead; set RPC_URL/,
        (_found, other) => at.chain.transaction(other, 'confirmed'),
      ],
      [
        'it with another slot',
        /lists it in slot \d+, but returns it as of slot 1; set RPC_URL/,
        (found) => ({ ...found, slot: 1 }),
      ],
      ['it without metadata', /keeps no metadata of it; set RPC_URL/, (found) => ({ ...found, meta: null })],
      [
        'it as failed',
        /lists it as successful, but returns it as failed/,
        (found) => ({ ...found, meta: { ...(found as { meta: object }).meta, err: { Other: 1 } } }),
      ],
      [
        'it without inner instructions',
        /keeps no inner instructions; ask one that does/,
        (found) => ({ ...found, meta: { ...(found as { meta: object }).meta, innerInstructions: null } }),
      ],
    ];
    for (const [what, problem, lie] of lies) {
      it(`but returns ${what}: holds, reports why, and continues by itself`, async () => {
        execute(2);
        await bookAll();
        const [other, held] = [newest().signature, (execute(1), newest().signature)];
        execute(2);
        at.served.instead = (call) =>
          isFetch(call, held) ? { result: lie(at.chain.transaction(held, 'confirmed')!, other) } : undefined;
        await expectHold(problem);
        at.served.instead = () => undefined;
        await bookAll();
        await expectAll();
        expect(await failureOf(indexerCheck(at.context))).to.equal('ok');
      });
    }

    it('but does not return it, in a long gap: holds as well', async () => {
      execute(1);
      await bookAll();
      execute(35);
      const held = at.chain.list('finalized', { limit: 20 })[19]!.signature;
      at.served.instead = (call) => (isFetch(call, held) ? { result: null } : undefined);
      for (let look = 0; look < 5; look += 1) await at.engine.book(NEVER_ABORTED);
      expect((await state()).held).to.match(/lists it but does not return it/);
      at.served.instead = () => undefined;
      await bookAll();
      await expectAll();
    });

    it('but refuses getTransaction permanently: reports the error, and does not retry at once', async () => {
      execute(2);
      at.served.instead = ({ method }) =>
        method === 'getTransaction'
          ? { error: { code: -32011, message: 'Transaction history is not available from this node' } }
          : undefined;
      await expectHold(/error -32011: Transaction history is not available/);
      expect(at.node.calls.get('getTransaction')).to.be.lessThan(20);
      at.served.instead = () => undefined;
      await bookAll();
      await expectAll();
    });
  });
});

/** An instruction whose key indexes are out of range. */
const OUT_OF_RANGE = { programIdIndex: 99, accounts: [98], data: '' };

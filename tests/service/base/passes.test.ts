// What sends a transaction by itself, without a request, is a trace too: migrations, settlements, graduations.
import { expect } from 'chai';
import { graduateToken } from '#app/graduation/graduate-token.js';
import { localSigner } from '#app/keys/local-signer.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { rejection } from '#tests/mocha/failures.js';
import { buyTokens, launch, WHOLE_CURVE_LAMPORTS } from '#tests/program/tokens.js';
import { indexCreation } from '#tests/service/service-context.js';
import { useSettlements } from '#tests/service/settlements.js';
import { ancestorsOf, useSpans } from '#tests/tracing/spans.js';

describe(`traces of migrations and settlements (${DATABASE_KIND})`, function () {
  this.timeout(240_000);
  const { untilSpan, ofTrace } = useSpans();
  const { cluster, database, settle, migrate } = useSettlements({ isKeyHeld: true });

  it('have one span for each pass, with the transaction, its signature and its end', async () => {
    const token = await launch(cluster(), { afterMigrationFee: 500, afterMigrationHoldersBp: 5_000 });
    await indexCreation(database(), token);
    await buyTokens(cluster(), token, cluster().payer, WHOLE_CURVE_LAMPORTS);
    const mint = token.mint.toBase58();
    const { transactions } = await migrate(token.mint);
    const report = await settle(token);
    expect(report.outcome).to.equal('settled');

    const settled = report.settlement!;
    const signatures = {
      migrate: transactions[0]!,
      settle: settled.signature!,
    };
    for (const [name, signature] of Object.entries(signatures)) {
      const pass = await untilSpan((span) => span.name === name, name);
      expect(pass.attributes).to.deep.include({ 'curvekit.mint': mint, 'curvekit.signature': signature });
      expect(pass.parentSpanContext).to.equal(undefined);
      const spans = ofTrace(pass.spanContext().traceId);
      for (const part of ['sign', 'land', 'transaction', 'getLatestBlockhash']) {
        const found = spans.find((span) => span.name === part);
        expect(found && ancestorsOf(found, spans), `${part} of ${name}`).to.deep.equal([name]);
      }
      // Polling until the transaction is final adds no spans.
      expect(spans.filter((span) => span.name === 'getSignatureStatuses')).to.deep.equal([]);
    }
  });
});

describe('traces of graduations', function () {
  this.timeout(120_000);
  const { all, untilSpan } = useSpans();
  const cluster = useCluster();

  it('have the token and the signature, and the kind of error when the cluster refuses', async () => {
    const token = await launch(cluster());
    const payer = localSigner(await cluster().fundedWallet());
    await rejection(graduateToken(cluster(), payer, token.mint), Error);
    const refused = await untilSpan((span) => span.name === 'graduate', 'the attempt');
    expect(refused.attributes).to.deep.equal({
      'curvekit.mint': token.mint.toBase58(),
      'error.type': 'NotReadyToMigrate',
    });
    expect([refused.status.code, refused.status.message, refused.events]).to.deep.equal([2, undefined, []]);

    await buyTokens(cluster(), token, cluster().payer, WHOLE_CURVE_LAMPORTS);
    const signature = await graduateToken(cluster(), payer, token.mint);
    const graduated = all().find((span) => span.attributes['curvekit.signature'] === signature)!;
    expect(graduated.name).to.equal('graduate');
    expect(graduated.links).to.have.length(1);
  });
});

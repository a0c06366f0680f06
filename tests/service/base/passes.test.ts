// What sends a transaction by itself, without a request, is a trace too: migrations, settlements, graduations.
import { expect } from 'chai';
import { DATABASE_KIND } from '#tests/database/database.js';
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
    const signatures = { migrate: transactions[0]!, settle: settled.signature! };
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

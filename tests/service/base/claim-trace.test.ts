// One trace leads from the request of a claim to its transaction, and on to how it was booked.
import { expect } from 'chai';
import { Keypair } from '@solana/web3.js';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-node';
import bs58 from 'bs58';
import { createLogger } from '#app/base/logging/logging.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { SOL } from '#tests/constants.js';
import { initiate, transactionOf, untilClaim } from '#tests/service/rewards.js';
import { finalize } from '#tests/service/service.js';
import { useClaims } from '#tests/service/claims.js';
import { linesInto } from '#tests/service/service-context.js';
import { ancestorsOf, useSpans } from '#tests/tracing/spans.js';

const ROUTE = '/rewards/:address/initiate';
const REQUEST = `POST ${ROUTE}`;
const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const SPAN_ID = 'b7ad6b7169203331';

interface RequestLine {
  readonly msg: string;
  readonly traceId?: string;
  readonly req?: { readonly url: string };
}

const nanosOf = ([seconds, nanos]: readonly [number, number]) =>
  BigInt(seconds) * 1_000_000_000n + BigInt(nanos);

describe(`traces of claims (${DATABASE_KIND})`, () => {
  const lines: RequestLine[] = [];
  const { all, untilSpan, ofTrace } = useSpans();
  const { cluster, scene, rewarded, submit } = useClaims({
    overrides: { logger: createLogger('info', linesInto(lines)) },
  });

  const attempt = async (wallet: Keypair, headers: Readonly<Record<string, string>> = {}) => {
    const known = new Set(all());
    const answer = await initiate(scene, wallet, { claimType: 'SOL' }, headers);
    const request = await untilSpan((span) => !known.has(span) && span.name === REQUEST, 'the request');
    return { answer, request, spans: ofTrace(request.spanContext().traceId) };
  };
  const named = (spans: readonly ReadableSpan[], name: string) => {
    const found = spans.find((span) => span.name === name);
    if (found === undefined) throw new Error(`no ${name} among ${spans.map((span) => span.name).join(', ')}`);
    return found;
  };

  it('go from the request to the signature, with the parents in order', async () => {
    const { answer, request, spans } = await attempt(await rewarded('SOL', SOL));
    const signature = bs58.encode(transactionOf(answer).signatures[0]!);
    expect(request.parentSpanContext).to.equal(undefined);
    expect(request.attributes).to.deep.equal({
      'http.request.method': 'POST',
      'http.route': ROUTE,
      'http.response.status_code': 200,
    });
    expect(named(spans, 'claim').attributes).to.deep.equal({
      'curvekit.asset': 'SOL',
      'curvekit.signature': signature,
    });
    for (const part of ['getMultipleAccounts', 'sign', 'claim_store'])
      expect(ancestorsOf(named(spans, part), spans), part).to.deep.equal(['claim', REQUEST]);
    const [sign, store] = [named(spans, 'sign'), named(spans, 'claim_store')];
    expect(nanosOf(sign.endTime) <= nanosOf(store.startTime), 'it is signed before it is stored').to.equal(
      true,
    );
  });

  it('continue the trace of the caller, and the line of the request has its id', async () => {
    const wallet = await rewarded('SOL', SOL);
    const { request, spans } = await attempt(wallet, { traceparent: `00-${TRACE_ID}-${SPAN_ID}-01` });
    expect(request.spanContext().traceId).to.equal(TRACE_ID);
    expect(request.parentSpanContext?.spanId).to.equal(SPAN_ID);
    expect(named(spans, 'claim_store').spanContext().traceId).to.equal(TRACE_ID);
    expect(lines.filter(({ traceId }) => traceId === TRACE_ID).map(({ msg }) => msg)).to.deep.equal([
      'request completed',
    ]);
  });

  it('link to the trace in which the claim is booked', async () => {
    const wallet = await rewarded('SOL', SOL);
    const { answer, spans } = await attempt(wallet);
    const signature = await submit(answer, wallet);
    await finalize(cluster());
    await untilClaim(scene.api, signature, 'COMPLETED');
    const booked = await untilSpan(
      ({ name, attributes }) => name === 'book claim' && attributes['curvekit.signature'] === signature,
      'the booking',
    );
    expect(booked.attributes['curvekit.claim.state']).to.equal('COMPLETED');
    const { links } = named(spans, 'claim');
    expect(links.map(({ context }) => context.traceId)).to.deep.equal([booked.spanContext().traceId]);
    const ofBooking = ofTrace(booked.spanContext().traceId);
    expect(ancestorsOf(named(ofBooking, 'claim_end'), ofBooking)).to.deep.equal(['book claim']);
  });

  it('say which refusal a request got, and that it is no failure of the service', async () => {
    const { answer, request, spans } = await attempt(Keypair.generate());
    expect(answer.status).to.equal(400);
    expect(request.attributes['http.response.status_code']).to.equal(400);
    expect(named(spans, 'claim').attributes['error.type']).to.equal('CLAIM_ERROR');
    expect([request.status.code, named(spans, 'claim').status.code]).to.deep.equal([0, 0]);
  });

  it('have no address of a client or a wallet, and no header', async () => {
    const wallet = await rewarded('SOL', SOL);
    await attempt(wallet, { 'X-Api-Key': 'a-key-of-a-partner' });
    const text = JSON.stringify(all().map(({ name, attributes, events }) => [name, attributes, events]));
    for (const secret of [wallet.publicKey.toBase58(), 'a-key-of-a-partner', '127.0.0.1'])
      expect(text).not.to.contain(secret);
  });

  it('leave out what monitoring asks, and jobs that send nothing', async () => {
    for (const path of ['/health', '/ready', '/metrics']) await fetch(scene.service.url + path);
    const roots = all().filter(({ parentSpanContext }) => parentSpanContext === undefined);
    expect(new Set(roots.map(({ name }) => name.split(' ')[0]))).to.deep.equal(new Set(['POST', 'GET']));
    expect(roots.filter(({ name }) => name === 'GET')).to.deep.equal([]);
  });
});

// A creator's choice of who earns its share of a token's fees. It is signed once, and anybody can verify it afterwards.
import { requireKnown, requireObject, type OptionNames } from '../../checks/options.js';
import { encodeBase58 } from '../../encoding/base58.js';
import { encodeBase64 } from '../../encoding/base64.js';
import { InvalidArgumentError } from '../../errors/index.js';
import { readMarketConfig } from '../../generated/api/market.js';
import { encodeUtf8 } from '../../platform/utf8.js';
import { readEnvelopeError } from '../envelope-error.js';
import { readSigned } from '../signed-message.js';
import { Transport, type TransportOptions } from '../transport.js';
import { requireWallet, type MessageWallet } from '../wallets.js';

/** Who earns: the creator, the wallets of a split, or each trader from its own trades. */
export type FeeShare =
  | { readonly kind: 'creator' | 'traders' }
  | {
      readonly kind: 'split';
      /** From 2 to 10 wallets. */
      readonly wallets: readonly {
        /** Base58. */
        readonly wallet: string;
        /** Its part in basis points. All parts sum to 10,000. */
        readonly bps: number;
      }[];
    };

/** The token that a choice is for. */
export interface FeeShareTerms {
  /** Base58. The token may be created later. */
  readonly mint: string;
  /** A slot of the last two minutes, from a node. The choice counts for trades of later slots. */
  readonly slot: number;
  readonly share: FeeShare;
}

const SHARE = { kind: true, wallets: true } as const satisfies OptionNames<FeeShare>;
const EARNS = { creator: 'I do', traders: 'its traders do, each from its own trades', split: '' } as const;
const TERMS = { mint: true, slot: true, share: true } as const satisfies OptionNames<FeeShareTerms>;

/**
 * What the creator signs: one line of ASCII, so that a hardware wallet shows it whole.
 *
 * @param deployment the launchpad's program in base58, and the chain as `config` of the Market API names both
 */
export function feeShareMessage(
  terms: FeeShareTerms,
  deployment: { readonly programId: string; readonly chain: string },
): string {
  requireKnown('terms', terms, TERMS);
  requireObject('deployment', deployment);
  const { mint, slot, share } = terms;
  requireKnown('terms.share', share, SHARE);
  if (!Object.hasOwn(EARNS, share.kind))
    throw new InvalidArgumentError('terms.share.kind', `must be one of ${Object.keys(EARNS).join(', ')}`);
  const earns =
    share.kind === 'split'
      ? share.wallets.map(({ wallet, bps }) => `${wallet} ${bps}/10000`).join(', ')
      : EARNS[share.kind];
  return `Who earns my share of the fees of token ${mint}, for ever: ${earns}. Program ${deployment.programId}, ${deployment.chain}, slot ${slot}.`;
}

/**
 * Chooses who earns the creator's share of a token's fees: once, before the launch or before anybody else has traded. Without a choice
 * the creator earns it. The wallet, which creates the token, signs one line. The same choice again succeeds.
 *
 * @throws ApiError `VALIDATION_ERROR` (with the fields), `INVALID_SIGNATURE`, `FEE_SHARE_CHOSEN` or `FEE_SHARE_TOO_LATE`;
 * ConnectionError; InvalidArgumentError; OtherMessageSignedError; the wallet's error
 */
export async function chooseFeeShare(
  wallet: MessageWallet,
  terms: FeeShareTerms,
  options: TransportOptions & { readonly signal?: AbortSignal | undefined },
): Promise<void> {
  requireWallet('wallet', wallet, 'signMessage');
  requireKnown('terms', terms, TERMS);
  requireObject('options', options);
  const { signal, ...service } = options;
  const transport = new Transport(service, readEnvelopeError, JSON.parse);
  const asked = await transport.request({ method: 'GET', path: '/v1/market/config', signal });
  const { chain, deployment } = readMarketConfig(asked, 'config');
  const text = encodeUtf8(feeShareMessage(terms, { chain, programId: deployment.programId }));
  const { signature, signedMessage } = readSigned(text, await wallet.signMessage(text));
  await transport.request({
    method: 'POST',
    path: `/v1/market/fee-shares/${encodeURIComponent(terms.mint)}`,
    body: {
      creator: wallet.address,
      slot: terms.slot,
      ...terms.share,
      signature: encodeBase58(signature),
      ...(signedMessage && { signedMessage: encodeBase64(signedMessage) }),
    },
    signal,
  });
}

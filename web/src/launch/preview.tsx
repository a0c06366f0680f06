import { useRent } from '../chain/rent.js';
import { useConfig } from '../config.js';
import { TokenCurve } from '../curve/token-curve.js';
import { exactSol, percent, displayText, tokens } from '../format.js';
import { Sol } from '../parts/amounts.js';
import { Art } from '../parts/art.js';
import { words } from '../words/words.js';
import { launchWords } from '../words/launch.js';
import { costOf } from './costs.js';
import type { ChosenPicture } from './picture.js';
import { firstBuyOf, type LaunchForm, shareOf } from './words-of-form.js';

const copy = launchWords;

interface PreviewProps {
  readonly form: LaunchForm;
  readonly picture: ChosenPicture | undefined;
  /** Address of the mint, from which the art is generated. */
  readonly seed: string;
}

/** The token's card as on the board, and the first buy on its curve. */
export function Preview({ form, picture, seed }: PreviewProps) {
  const config = useConfig();
  const { quote } = firstBuyOf(form, config);
  const { initialVirtualToken, initialVirtualSol, supply } = config;
  const sol = quote?.virtualSol ?? BigInt(initialVirtualSol);
  const token = quote?.virtualToken ?? BigInt(initialVirtualToken);
  const share = shareOf(quote?.tokenOut ?? 0n, config);
  const rent = useRent();
  const spent = quote?.solSpent ?? 0n;
  const cost = rent && costOf(config, rent, spent > 0n);
  const amount = (lamports: bigint | undefined) =>
    lamports === undefined ? '…' : `${exactSol(lamports)} SOL`;
  const symbol = form.symbol.trim() === '' ? copy.previewSymbol : displayText(form.symbol);
  return (
    <aside className="preview" aria-label={copy.preview}>
      <h2>{copy.preview}</h2>
      <div className="card soon-card">
        {picture === undefined ? (
          <Art seed={seed} size={52} />
        ) : (
          <img className="art" src={picture.url} alt="" width="52" height="52" />
        )}
        <div className="clipped">
          <div className="name">{form.name.trim() === '' ? copy.previewName : displayText(form.name)}</div>
          <div className="sub muted">{symbol}</div>
        </div>
        <div className="cap">
          <Sol lamports={(sol * BigInt(supply)) / token} />
          <small>{copy.previewCap}</small>
        </div>
        <TokenCurve
          token={{
            virtualToken: initialVirtualToken,
            initialVirtualToken,
            venue: 'curve',
            status: 'trading',
            progressBps: 0,
          }}
          height={104}
          to={quote?.virtualToken}
          isDecoration
        />
        <div className="facts">
          <span>
            {quote === undefined
              ? words.trade.then[config.graduation]
              : copy.firstBuyQuote(`${tokens(quote.tokenOut)} ${symbol}`, percent(share))}
          </span>
        </div>
      </div>
      <dl className="costs">
        <div>
          <dt>{copy.costRent}</dt>
          <dd>{amount(cost)}</dd>
        </div>
        <div>
          <dt>{copy.costBuy}</dt>
          <dd>{amount(cost && spent)}</dd>
        </div>
        <div className="strong">
          <dt>{copy.costTotal}</dt>
          <dd>{amount(cost && spent + cost)}</dd>
        </div>
      </dl>
    </aside>
  );
}

// What a stranger needs to know, in three sentences drawn on the one curve. It is gone once it was closed.
import { useState } from 'react';
import { useConfig } from '../config.js';
import { plot } from '../curve/geometry.js';
import { sol } from '../format.js';
import { useMedia } from '../media.js';
import { goalOf } from '../market/progress.js';
import { Link } from '../parts/link.js';
import { part } from '../part.js';
import { INTRO_CLOSED } from '../pages/table.js';
import { setCookie } from '../language.js';
import { introWords } from '../words/intro.js';
import { words } from '../words/words.js';

const LaunchCost = part(() => import('./launch-cost.js'));
const PROOFS = 'https://github.com/curvekit/curvekit/blob/main/proofs/README.md';
const SHAPE = { start: 1_073, end: 273 };
const BOX = { width: 300, height: 60, pad: 0 };

/** The service draws the same sentences into the document (app/src/page/routes.ts), unless its cookie says that they were closed. */
export function Intro() {
  const config = useConfig();
  const [isShown, setShown] = useState(() => !document.cookie.includes(INTRO_CLOSED));
  const isWide = useMedia('(min-width: 761px)');
  if (!isShown) return null;
  const close = () => {
    setCookie(INTRO_CLOSED);
    setShown(false);
  };
  const { line } = plot(SHAPE, BOX);
  return (
    <section className="intro card" aria-label={introWords.title}>
      <svg viewBox={`0 0 ${BOX.width} ${BOX.height}`} preserveAspectRatio="none" aria-hidden="true">
        <path d={line(SHAPE.start, SHAPE.end)} />
      </svg>
      <ol>
        {introWords.steps(sol(goalOf(config)), config.graduation).map(([title, text]) => (
          <li key={title}>
            <b>{title}</b>
            {` ${text}`}
          </li>
        ))}
      </ol>
      <div className="more-of-it">
        <Link className="btn quiet lesser" href="/launch">
          {introWords.launch}
          {isWide && <LaunchCost />}
        </Link>
        <a className="link" href={PROOFS} target="_blank" rel="noreferrer">
          {introWords.proofs} ↗
        </a>
      </div>
      <button type="button" className="close" aria-label={words.close} onClick={close}>
        ×
      </button>
    </section>
  );
}

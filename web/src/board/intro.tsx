// What a stranger needs to know, in three sentences drawn on the one curve. It is gone once it was closed.
import { useState } from 'react';
import { useConfig } from '../config.js';
import { plot } from '../curve/geometry.js';
import { sol } from '../format.js';
import { goalOf } from '../market/progress.js';
import { Link } from '../parts/link.js';
import { storage } from '../storage.js';
import { introWords } from '../words/board.js';
import { words } from '../words/words.js';

const KEY = 'curvekit:intro';
const SHAPE = { start: 1_073, end: 273 };
const BOX = { width: 300, height: 60, pad: 0 };

export function Intro() {
  const config = useConfig();
  const [isShown, setShown] = useState(() => storage.getItem(KEY) === null);
  if (!isShown) return null;
  const close = () => {
    storage.setItem(KEY, 'closed');
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
            <b>{title}</b> {text}
          </li>
        ))}
      </ol>
      <Link className="btn quiet lesser" href="/launch">
        {introWords.launch}
      </Link>
      <button type="button" className="close" aria-label={words.close} onClick={close}>
        ×
      </button>
    </section>
  );
}

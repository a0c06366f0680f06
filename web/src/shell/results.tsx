import { useEffect, useRef, useState } from 'react';
import { address } from '../format.js';
import { market } from '../market/api.js';
import { useLoad } from '../market/use-load.js';
import { Sol } from '../parts/amounts.js';
import { Picture } from '../parts/art.js';
import { Link } from '../parts/link.js';
import { TokenName } from '../parts/token-name.js';
import { isAddress } from '../router.js';
import { searchWords as copy } from '../words/search.js';
import { words } from '../words/words.js';

const TYPING_MS = 200;
const MOST = 6;

interface ResultsProps {
  readonly text: string;
  readonly onClose: () => void;
  /** Called when the user follows a result. */
  readonly onChosen: () => void;
}

/** The tokens that match what is typed so far, and a creator's tokens for an address. Arrow keys move through them. */
export default function Results({ text, onClose, onChosen }: ResultsProps) {
  const list = useRef<HTMLDivElement>(null);
  const asked = useSettled(text);
  const { data, problem } = useLoad(asked, (options) =>
    market.tokens({ q: asked, sort: 'marketCap', limit: MOST, ...options }),
  );
  // The list of fewer letters stays until the next one is there.
  const last = useRef(data);
  last.current = data ?? last.current;
  const found = last.current;
  useKeys(list, onClose);
  return (
    <div
      className="card found"
      ref={list}
      role="region"
      aria-label={copy.found}
      // The field keeps the focus until the click, also in browsers that do not focus links.
      onMouseDown={(event) => event.preventDefault()}
      onClick={(event) => {
        if ((event.target as Element).closest('a') !== null) onChosen();
      }}
    >
      <ul>
        {found?.items.map(({ mint, image, name, symbol, marketCap }) => (
          <li key={mint}>
            <Link href={`/t/${mint}`}>
              <Picture mint={mint} image={image} size={28} />
              <span>
                <TokenName name={name} symbol={symbol} />
              </span>
              <Sol lamports={marketCap} />
            </Link>
          </li>
        ))}
        {isAddress(text) && (
          <li>
            <Link href={`/w/${text}`}>{copy.wallet(address(text))}</Link>
          </li>
        )}
        {found !== undefined && found.next !== null && (
          <li>
            <Link href={`/?q=${encodeURIComponent(text)}`}>{copy.all(text)}</Link>
          </li>
        )}
      </ul>
      <p className="muted" role="status">
        {problem === undefined
          ? found?.items.length === 0 && found.next === null && copy.none
          : words.requestProblem(problem)}
      </p>
    </div>
  );
}

/** The text once the user has paused typing. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** Keys of the field and of the list: arrows move, Escape closes. Leaving both closes too. */
function useKeys(list: { readonly current: HTMLDivElement | null }, onClose: () => void): void {
  useEffect(() => {
    const form = list.current?.closest('form');
    const stopping = new AbortController();
    const { signal } = stopping;
    form?.addEventListener(
      'keydown',
      (event) => {
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (event.key === 'Escape') onClose();
        if (step === undefined) return;
        event.preventDefault();
        const places = [...form.querySelectorAll<HTMLElement>('input, .found a')];
        const at = places.indexOf(document.activeElement as HTMLElement);
        places[(at + step + places.length) % places.length]?.focus();
      },
      { signal },
    );
    form?.addEventListener(
      'focusout',
      ({ relatedTarget }) => {
        if (!form.contains(relatedTarget as Node | null)) onClose();
      },
      { signal },
    );
    return () => stopping.abort();
  }, [list, onClose]);
}

import { useEffect, useRef, useState } from 'react';
import { go, usePath, useQuery } from '../router.js';
import { words } from '../words/words.js';

const TYPING_MS = 200;

/** Filters the board while the user types. On other pages, Enter opens the board. */
export function Search() {
  const input = useRef<HTMLInputElement>(null);
  const onBoard = usePath() === '/';
  const asked = useQuery().get('q') ?? '';
  const [text, setText] = useState(asked);
  useEffect(() => setText(asked), [asked]);
  useEffect(() => {
    if (!onBoard || text.trim() === asked) return undefined;
    const timer = setTimeout(() => go(urlOf(text), { replace: true }), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, asked, onBoard]);
  return (
    <form
      className="search"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        go(urlOf(text), { replace: onBoard });
      }}
    >
      <input
        ref={input}
        type="search"
        aria-label={words.search}
        aria-keyshortcuts="/"
        data-shortcut="search"
        placeholder={words.searchHint}
        value={text}
        maxLength={64}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
      />
      <kbd aria-hidden="true">/</kbd>
    </form>
  );
}

function urlOf(text: string): string {
  const query = text.trim();
  return query === '' ? '/' : `/?q=${encodeURIComponent(query)}`;
}

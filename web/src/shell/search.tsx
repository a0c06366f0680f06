import { useCallback, useEffect, useState } from 'react';
import { part } from '../part.js';
import { go, isAddress, usePath, useQuery, withParameter } from '../router.js';
import { words } from '../words/words.js';

const TYPING_MS = 200;
const Results = part(() => import('./results.js'));

/** To the first token of the board. There the arrow keys go on. */
const toRows = () => document.querySelector<HTMLElement>('[data-mint] .t > a')?.focus();

/** Filters the board while the user types. On other pages it lists results, and Enter opens the board. An address opens its token. */
export function Search() {
  const onBoard = usePath() === '/';
  const asked = useQuery().get('q') ?? '';
  const [text, setText] = useState(asked);
  const [lists, setLists] = useState(false);
  const close = useCallback(() => setLists(false), []);
  useEffect(() => setText(asked), [asked]);
  useEffect(() => {
    if (!onBoard || text.trim() === asked) return undefined;
    const timer = setTimeout(() => go(withParameter('q', text.trim()), { replace: true }), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, asked, onBoard]);
  return (
    <form
      className="search"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        const query = text.trim();
        close();
        if (isAddress(query)) go(`/t/${query}`);
        else if (onBoard && query === asked) toRows();
        else if (onBoard) go(withParameter('q', query), { replace: true });
        else go(query === '' ? '/' : `/?q=${encodeURIComponent(query)}`);
      }}
    >
      <input
        type="search"
        aria-label={words.search}
        aria-keyshortcuts="/"
        data-shortcut="search"
        placeholder={words.searchHint}
        value={text}
        maxLength={64}
        autoComplete="off"
        spellCheck={false}
        onKeyDown={(event) => {
          if (!onBoard || event.key !== 'ArrowDown') return;
          event.preventDefault();
          toRows();
        }}
        onChange={(event) => {
          setText(event.target.value);
          setLists(true);
        }}
      />
      <kbd aria-hidden="true">/</kbd>
      {lists && !onBoard && text.trim() !== '' && (
        <Results
          text={text.trim()}
          onClose={close}
          onChosen={() => {
            close();
            setText('');
          }}
        />
      )}
    </form>
  );
}

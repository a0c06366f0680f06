// Says how many tokens have the name already. It refuses nothing: plain names can look alike by chance.
import { useEffect, useState } from 'react';
import { market } from '../market/api.js';
import { displayText } from '../format.js';
import { words } from '../words/words.js';
import { launchWords } from '../words/launch.js';
import type { LaunchForm } from './words-of-form.js';

const TYPED_MS = 400;
const NONE = { names: 0, symbols: 0 };

export function SameNames({ form }: { readonly form: Pick<LaunchForm, 'name' | 'symbol'> }) {
  const [name, symbol] = [form.name.trim(), form.symbol.trim()];
  const [same, setSame] = useState(NONE);
  useEffect(() => {
    const stopping = new AbortController();
    const timer = setTimeout(() => {
      const asked =
        name === '' && symbol === ''
          ? Promise.resolve(NONE)
          : market.names({ name, symbol, signal: stopping.signal });
      // Without an answer there is no warning, and the launch does not need it.
      asked.then(setSame, () => setSame(NONE));
    }, TYPED_MS);
    return () => {
      clearTimeout(timer);
      stopping.abort();
    };
  }, [name, symbol]);
  const copy = words.tokenPage;
  const lines = [
    ...(same.names > 0 ? [copy.sameNames(same.names, displayText(name))] : []),
    ...(same.symbols > 0 ? [copy.sameSymbols(same.symbols, displayText(symbol))] : []),
  ];
  if (lines.length === 0) return null;
  return (
    <p className="alert warn" role="status" data-testid="same">
      {lines.join('. ')}. {launchWords.sameHint}
    </p>
  );
}

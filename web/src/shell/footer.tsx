import { useConfig } from '../config.js';
import { PAGES } from '../pages/table.js';
import { Link } from '../parts/link.js';
import { setShortcuts, useShortcutsOn } from './shortcuts.js';
import { chooseTheme, useTheme, type Theme } from '../theme.js';
import { words } from '../words/words.js';

const THEMES: readonly Theme[] = ['system', 'dark', 'light'];

export function Footer() {
  const { serviceName } = useConfig();
  const theme = useTheme();
  const shortcuts = useShortcutsOn();
  return (
    <footer className="foot">
      <div className="row">
        <span>{serviceName}</span>
        <Link href={PAGES.terms.path}>{PAGES.terms.title}</Link>
        <span className="spring" />
        <button type="button" aria-pressed={shortcuts} onClick={() => setShortcuts(!shortcuts)}>
          {words.shortcuts(shortcuts)}
        </button>
        <div className="tabs fine" role="group" aria-label={words.theme.label}>
          {THEMES.map((each) => (
            <button key={each} type="button" aria-pressed={each === theme} onClick={() => chooseTheme(each)}>
              {words.theme[each]}
            </button>
          ))}
        </div>
      </div>
    </footer>
  );
}

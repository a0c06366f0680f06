import { useConfig } from '../config.js';
import { switchDollars, useDollarsOn, useRate } from '../dollars.js';
import { short } from '../format.js';
import { Ago } from '../parts/ago.js';
import { PAGES } from '../pages/table.js';
import { Link } from '../parts/link.js';
import { setShortcuts, useShortcutsOn } from './shortcuts.js';
import { chooseTheme, useTheme, type Theme } from '../theme.js';
import { chooseLanguage, language } from '../language.js';
import { LANGUAGE_CODES, LANGUAGES } from '../languages.js';
import { pageTitles } from '../words/pages.js';
import { words } from '../words/words.js';

const THEMES: readonly Theme[] = ['system', 'dark', 'light'];

export function Footer() {
  const { serviceName } = useConfig();
  const theme = useTheme();
  const shortcuts = useShortcutsOn();
  const [rate, dollars] = [useRate(), useDollarsOn()];
  return (
    <footer className="foot">
      <div className="row">
        <span>{serviceName}</span>
        <Link href={PAGES.terms}>{pageTitles.terms}</Link>
        <span className="spring" />
        <button type="button" aria-pressed={shortcuts} onClick={() => setShortcuts(!shortcuts)}>
          {words.shortcuts(shortcuts)}
        </button>
        {rate !== undefined && (
          <button
            type="button"
            aria-pressed={dollars}
            aria-label={words.dollars.title}
            onClick={switchDollars}
          >
            {words.dollars.rate(short(rate.usd))} · <Ago at={rate.at} />
          </button>
        )}
        <select
          aria-label={words.language}
          value={language()}
          onChange={(event) => chooseLanguage(event.currentTarget.value)}
        >
          {LANGUAGE_CODES.map((code) => (
            <option key={code} value={code} lang={code}>
              {LANGUAGES[code]}
            </option>
          ))}
        </select>
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

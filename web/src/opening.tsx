import { Logo } from './parts/logo.js';
import { Notice } from './parts/notice.js';
import { words } from './words/words.js';

/** A placeholder until the service's configuration is loaded, with the size of the later content. */
export function Opening() {
  return (
    <>
      <header className="top">
        <div className="row">
          <span className="brand">
            <Logo />
          </span>
        </div>
      </header>
      <main className="page" aria-busy="true">
        <p className="sr" role="status">
          {words.loading}
        </p>
      </main>
    </>
  );
}

export function Away({ onRetry }: { readonly onRetry: () => void }) {
  return (
    <main className="page">
      <div role="alert">
        <Notice title={words.away.title} text={words.away.text} level={1}>
          <button className="btn primary" type="button" onClick={onRetry}>
            {words.retry}
          </button>
        </Notice>
      </div>
    </main>
  );
}

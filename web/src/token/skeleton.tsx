import { words } from '../words/words.js';

export function TokenSkeleton() {
  return (
    <div role="status">
      <span className="sr">{words.loading}</span>
      <div className="head">
        <div className="skeleton head-art" />
        <div className="head-names">
          <div className="skeleton head-line" />
        </div>
      </div>
      <div className="cols">
        <div className="card chart-card skeleton" />
        <div className="card trade-card skeleton" />
      </div>
    </div>
  );
}

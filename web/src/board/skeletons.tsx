import { words } from '../words/words.js';

/** Placeholders of the final size, so that nothing moves when the data arrives. */
export function SoonSkeleton() {
  return (
    <ul className="soon" aria-hidden="true">
      {[1, 2, 3].map((each) => (
        <li key={each} className="card skeleton soon-skeleton" />
      ))}
    </ul>
  );
}

export function BoardSkeleton() {
  return (
    <div role="status">
      <span className="sr">{words.loading}</span>
      {[1, 2, 3, 4, 5, 6].map((each) => (
        <div key={each} className="row-skeleton">
          <div className="skeleton" />
        </div>
      ))}
    </div>
  );
}

import { words } from '../words/words.js';

/** A placeholder of the final size, so that nothing moves when the data arrives. */
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

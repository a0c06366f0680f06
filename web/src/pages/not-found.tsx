import { Link } from '../parts/link.js';
import { Notice } from '../parts/notice.js';
import { words } from '../words/words.js';

export function NotFound() {
  return (
    <Notice title={words.notFound.title} text={words.notFound.text} level={1}>
      <Link className="btn quiet" href="/">
        {words.tokenPage.toBoard}
      </Link>
    </Notice>
  );
}

import { Nowhere } from '../parts/nowhere.js';
import { Link } from '../parts/link.js';
import { routeOf, usePath } from '../router.js';
import { nowhereWords } from '../words/nowhere.js';

export default function Unknown() {
  const route = routeOf(usePath());
  return (
    <Nowhere title={nowhereWords.token} text={nowhereWords.tokenHint}>
      {route.page === 'token' && (
        <Link className="btn quiet" href={`/w/${route.address}`}>
          {nowhereWords.asWallet}
        </Link>
      )}
    </Nowhere>
  );
}

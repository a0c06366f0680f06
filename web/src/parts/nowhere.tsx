import type { ReactNode } from 'react';
import { nowhereWords } from '../words/nowhere.js';
import { Link } from './link.js';
import { Notice } from './notice.js';

interface NowhereProps {
  readonly title: string;
  readonly text: string;
  readonly children?: ReactNode;
}

/** In place of a page or a token that does not exist. */
export function Nowhere({ title, text, children }: NowhereProps) {
  return (
    <Notice title={title} text={text} level={1}>
      <Link className="btn quiet" href="/">
        {nowhereWords.toBoard}
      </Link>
      {children}
    </Notice>
  );
}

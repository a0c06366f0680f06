import type { ReactNode } from 'react';
import type { RequestError } from '../market/api.js';
import { words } from '../words/words.js';

interface NoticeProps {
  readonly title: string;
  readonly text?: string;
  readonly children?: ReactNode;
  /** Heading level. */
  readonly level?: 1 | 2;
}

/** A message in a part of the page without content. */
export function Notice({ title, text, children, level = 2 }: NoticeProps) {
  const Heading = level === 1 ? 'h1' : 'h2';
  return (
    <div className="notice">
      <Heading>{title}</Heading>
      {text !== undefined && <p>{text}</p>}
      {children}
    </div>
  );
}

interface FailedProps {
  readonly title: string;
  readonly problem: RequestError;
  readonly onRetry: () => void;
}

export function Failed({ title, problem, onRetry }: FailedProps) {
  return (
    <div role="alert">
      <Notice title={title} text={words.requestProblem(problem)}>
        <button className="btn quiet" type="button" onClick={onRetry}>
          {words.retry}
        </button>
      </Notice>
    </div>
  );
}

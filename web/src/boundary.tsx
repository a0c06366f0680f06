import { Component, type ReactNode } from 'react';
import { words } from './words/words.js';

interface Props {
  /** The part of the page, as the sentence about its failure names it. */
  readonly what: string;
  readonly children: ReactNode;
}

/** Keeps a part that breaks from taking the page with it. */
export class Boundary extends Component<Props, { readonly problem: string | undefined }> {
  override state = { problem: undefined as string | undefined };

  static getDerivedStateFromError(error: unknown) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }

  override render() {
    const { what, children } = this.props;
    if (this.state.problem === undefined) return children;
    return (
      <div className="notice" role="alert">
        <p>{words.broken(what, this.state.problem)}</p>
        <button className="btn quiet" type="button" onClick={() => location.reload()}>
          {words.reload}
        </button>
      </div>
    );
  }
}

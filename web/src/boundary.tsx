import { Component, type ReactNode } from 'react';
import { words } from './words/words.js';

interface Props {
  /** Name of the part of the page, for the message about its failure. */
  readonly what: string;
  readonly children: ReactNode;
}

/** An error boundary: when one part of the page fails, the rest keeps working. */
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

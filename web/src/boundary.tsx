import { Component, type ReactNode } from 'react';
import { LoadError } from './load.js';
import { words } from './words/words.js';

interface Props {
  readonly children: ReactNode;
  /** Called before the part is shown once more. Without it, or with an old page, the user can only reload. */
  readonly onRetry?: (() => void) | undefined;
}

/** An error boundary: when one part of the page fails, the rest keeps working. */
export class Boundary extends Component<Props, { readonly problem: unknown }> {
  override state = { problem: undefined as unknown };

  static getDerivedStateFromError(problem: unknown) {
    return { problem };
  }

  override render() {
    const { children, onRetry } = this.props;
    const { problem } = this.state;
    if (problem === undefined) return children;
    const isUnloaded = problem instanceof LoadError;
    const retry = () => {
      onRetry?.();
      this.setState({ problem: undefined });
    };
    const canRetry = isUnloaded && !problem.isOld && onRetry !== undefined;
    return (
      <div className="notice" role="alert">
        <p>{isUnloaded ? problem.message : words.broken}</p>
        <button className="btn quiet" type="button" onClick={canRetry ? retry : () => location.reload()}>
          {canRetry ? words.retry : words.reload}
        </button>
      </div>
    );
  }
}

import { Component, type ReactNode } from 'react';
import { LoadError } from './load.js';
import { words } from './words/words.js';

const RETRY_MS = 4_000;

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

  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Code that could not be loaded is loaded when the service, or the network, is back. */
  override componentDidUpdate() {
    const { problem } = this.state;
    if (!(problem instanceof LoadError && !problem.isOld && this.props.onRetry !== undefined)) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#retry, RETRY_MS);
  }

  override componentWillUnmount() {
    clearTimeout(this.#timer);
  }

  #retry = () => {
    clearTimeout(this.#timer);
    this.props.onRetry?.();
    this.setState({ problem: undefined });
  };

  override render() {
    const { children, onRetry } = this.props;
    const { problem } = this.state;
    if (problem === undefined) return children;
    const isUnloaded = problem instanceof LoadError;
    const canRetry = isUnloaded && !problem.isOld && onRetry !== undefined;
    return (
      <div className="notice" role="alert">
        <p>{isUnloaded ? problem.message : words.broken}</p>
        <button
          className="btn quiet"
          type="button"
          onClick={canRetry ? this.#retry : () => location.reload()}
        >
          {canRetry ? words.retry : words.reload}
        </button>
      </div>
    );
  }
}

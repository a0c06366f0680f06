import { useEffect, useId, useRef, type ReactNode } from 'react';
import { words } from '../words/words.js';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly className?: string;
}

/** A native modal dialog that is open while it is rendered: focus, Escape and the rest of the page are the browser's work. */
export function Dialog({ title, onClose, children, className }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // Not the first button: a screen reader hears the title first, and a phone keeps its keyboard down.
    element?.querySelector<HTMLElement>('h2')?.focus();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      className={className}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === dialog.current) dialog.current?.close();
      }}
    >
      <div className="title">
        <h2 id={id} tabIndex={-1}>
          {title}
        </h2>
        <button
          type="button"
          className="icon-btn"
          aria-label={words.close}
          onClick={() => dialog.current?.close()}
        >
          ✕
        </button>
      </div>
      {children}
    </dialog>
  );
}

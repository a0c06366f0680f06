import { useEffect, useId, useRef, type ReactNode } from 'react';
import { words } from '../words/words.js';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly className?: string;
}

/** A native modal dialog, open while it is rendered. The browser handles focus, Escape and the rest of the page. */
export default function Dialog({ title, onClose, children, className }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // Focus the title instead of the first control: screen readers read it first, and phones do not open the keyboard.
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

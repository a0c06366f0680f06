import { useState } from 'react';
import { setTelling, useTelling } from '../watch.js';
import { boardPartWords as copy } from '../words/board-parts.js';

/** Switches the notes about watched tokens on and off. The browser asks the reader first. */
export default function Bell() {
  const isTelling = useTelling();
  const [isRefused, setRefused] = useState(false);
  const press = async () => {
    const isAllowed = !isTelling && (await globalThis.Notification?.requestPermission()) === 'granted';
    setRefused(!isTelling && !isAllowed);
    setTelling(isAllowed);
  };
  return (
    <>
      <button
        type="button"
        className="btn quiet lesser"
        aria-pressed={isTelling}
        onClick={() => void press()}
      >
        {copy.tellMe}
      </button>
      {isRefused && (
        <span className="gold small" role="status">
          {copy.noTelling}
        </span>
      )}
    </>
  );
}

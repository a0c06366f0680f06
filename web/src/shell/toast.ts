// A sentence above every page for some seconds: how a trade or a launch ended whose page was left meanwhile.
import { useEffect, useRef, type RefObject } from 'react';

const SHOWN_MS = 12_000;
let region: HTMLElement | undefined;

export function toast(text: string, isGood: boolean): void {
  // Screen readers announce what is added to a region that is there already.
  region ??= document.body.appendChild(newRegion());
  const message = document.createElement('p');
  message.className = isGood ? 'alert good' : 'alert';
  message.textContent = text;
  setTimeout(() => region?.append(message));
  setTimeout(() => message.remove(), SHOWN_MS);
}

function newRegion(): HTMLElement {
  const element = document.createElement('div');
  element.className = 'toasts';
  element.setAttribute('role', 'status');
  return element;
}

/** Whether the component has been left. */
export function useIsLeft(): RefObject<boolean> {
  const isLeft = useRef(false);
  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
    };
  }, []);
  return isLeft;
}

// Measures the width of an element, because a stretched drawing would have distorted dots.
import { useCallback, useState } from 'react';

const callbacks = new WeakMap<Element, (width: number) => void>();
const observer = new ResizeObserver((entries) => {
  for (const { target, contentRect } of entries) callbacks.get(target)?.(contentRect.width);
});

export function useWidth(): [ref: (element: Element | null) => (() => void) | undefined, width: number] {
  const [width, setWidth] = useState(0);
  const ref = useCallback((element: Element | null) => {
    if (element === null) return undefined;
    callbacks.set(element, (value) => setWidth(Math.round(value)));
    observer.observe(element);
    return () => observer.unobserve(element);
  }, []);
  return [ref, width];
}

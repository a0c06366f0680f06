// The crop of the chosen picture. Each change encodes a new picture, and only the last one is used.
import { useRef, useState } from 'react';
import { cropped, imageOf, MIDDLE, type Crop } from './crop.js';
import type { ChosenPicture } from './picture.js';

export function useCrop(picture: ChosenPicture | undefined, onPicture: (picture: ChosenPicture) => void) {
  const [image, setImage] = useState<HTMLImageElement>();
  const [crop, setCrop] = useState(MIDDLE);
  /** Two moves of a pointer can come before the next render, so the second must not start from the rendered crop. */
  const newest = useRef(MIDDLE);
  const changes = useRef(0);

  const move = (next: Crop): void => {
    newest.current = next;
    setCrop(next);
  };
  const end = (): void => {
    changes.current += 1;
    setImage(undefined);
    move(MIDDLE);
  };
  const begin = async (chosen: ChosenPicture): Promise<void> => {
    end();
    const latest = changes.current;
    const readable = await imageOf(chosen);
    if (changes.current === latest) setImage(readable);
  };
  const change = (changed: (before: Crop) => Crop): void => {
    if (image === undefined || picture === undefined) return;
    move(changed(newest.current));
    const latest = (changes.current += 1);
    const encoded = cropped(image, newest.current);
    // A launch waits for the new file. The preview shows the old one until then.
    onPicture({ url: picture.url, file: encoded.then(({ file }) => file) });
    void encoded.then((next) => {
      if (changes.current === latest) onPicture(next);
    });
  };
  return { image, crop, begin, change, end };
}

// The crop of the chosen picture. Each change makes a new picture, and only the last one is used.
import { useRef, useState } from 'react';
import { cropped, imageOf, MIDDLE, type Crop } from './crop.js';
import type { ChosenPicture } from './picture.js';

export function useCrop(onPicture: (picture: ChosenPicture) => void) {
  const [image, setImage] = useState<HTMLImageElement>();
  const [crop, setCrop] = useState(MIDDLE);
  const changes = useRef(0);

  const end = (): void => {
    changes.current += 1;
    setImage(undefined);
    setCrop(MIDDLE);
  };
  const begin = async (picture: ChosenPicture): Promise<void> => {
    end();
    const latest = changes.current;
    const readable = await imageOf(picture);
    if (changes.current === latest) setImage(readable);
  };
  const change = (next: Crop): void => {
    if (image === undefined) return;
    setCrop(next);
    const latest = (changes.current += 1);
    void cropped(image, next).then((picture) => {
      if (changes.current === latest) onPicture(picture);
    });
  };
  return { image, crop, begin, change, end };
}

import { useEffect, useId, useRef, useState } from 'react';
import { loaded } from '../load.js';
import { part } from '../part.js';
import { launchWords as copy } from '../words/launch.js';
import { type ChosenPicture, readPicture } from './picture.js';
import type { Crop } from './crop.js';

const cropping = () => loaded(() => import('./crop.js'));
/** The crop that the service would make by itself. */
const MIDDLE: Crop = { zoom: 1, across: 0.5, down: 0.5 };

const CropField = part(() => import('./crop-field.js'), <div className="square" />);

interface PictureFieldProps {
  readonly picture: ChosenPicture | undefined;
  readonly onPicture: (picture: ChosenPicture | undefined) => void;
  /** Why the chosen file is not used. A launch waits until the user has chosen another one, or none. */
  readonly problem: string | undefined;
  readonly onProblem: (problem: string | undefined) => void;
}

export function PictureField({ picture, onPicture, problem, onProblem }: PictureFieldProps) {
  const id = useId();
  const { image, crop, begin, change, end } = useCrop(picture, onPicture);
  const choose = async (file: File | undefined) => {
    if (file === undefined) return;
    try {
      const chosen = await readPicture(file);
      onPicture(chosen);
      onProblem(undefined);
      await begin(chosen);
    } catch (error) {
      end();
      onPicture(undefined);
      onProblem((error as Error).message);
    }
  };
  const remove = () => {
    end();
    onPicture(undefined);
    onProblem(undefined);
  };
  usePasted(choose);
  const input = (
    <input
      id={id}
      type="file"
      accept="image/png,image/jpeg,image/webp,image/gif"
      aria-describedby={`${id}-about`}
      aria-invalid={problem !== undefined}
      onChange={(event) => void choose(event.target.files?.[0])}
    />
  );
  const isThere = picture !== undefined || problem !== undefined;
  return (
    <div className="field">
      <label htmlFor={id}>{copy.picture}</label>
      <div
        className="picture"
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          void choose(event.dataTransfer.files[0]);
        }}
      >
        {picture !== undefined && image !== undefined ? (
          <CropField image={image} crop={crop} onCrop={change} />
        ) : (
          <div className="square">
            {picture === undefined ? '+' : <img src={picture.url} alt="" width="120" height="120" />}
            {!isThere && input}
          </div>
        )}
        {isThere && (
          <div className="actions">
            <span className="btn quiet lesser">
              {copy.choose}
              {input}
            </span>
            <button type="button" className="btn quiet lesser" onClick={remove}>
              {copy.remove}
            </button>
          </div>
        )}
      </div>
      <p id={`${id}-about`} className={problem === undefined ? 'hint' : 'problem'} role="status">
        {problem ?? copy.pictureHint}
      </p>
    </div>
  );
}

/** A picture that is pasted anywhere on the page. */
function usePasted(choose: (file: File) => Promise<void>): void {
  const newest = useRef(choose);
  newest.current = choose;
  useEffect(() => {
    const paste = ({ clipboardData }: ClipboardEvent) => {
      const [file] = clipboardData?.files ?? [];
      if (file !== undefined) void newest.current(file);
    };
    document.addEventListener('paste', paste);
    return () => document.removeEventListener('paste', paste);
  }, []);
}

// The crop of the chosen picture. Each change encodes a new picture, and only the last one is used.
function useCrop(picture: ChosenPicture | undefined, onPicture: (picture: ChosenPicture) => void) {
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
    const { imageOf } = await cropping();
    const readable = await imageOf(chosen);
    if (changes.current === latest) setImage(readable);
  };
  const change = (changed: (before: Crop) => Crop): void => {
    if (image === undefined || picture === undefined) return;
    move(changed(newest.current));
    const latest = (changes.current += 1);
    const encoded = cropping().then(({ cropped }) => cropped(image, newest.current));
    // A launch waits for the new file. The preview shows the old one until then.
    onPicture({ url: picture.url, file: encoded.then(({ file }) => file) });
    void encoded.then((next) => {
      if (changes.current === latest) onPicture(next);
    });
  };
  return { image, crop, begin, change, end };
}

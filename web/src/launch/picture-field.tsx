import { useId, useState } from 'react';
import { launchWords } from '../words/launch.js';
import { readPicture, type ChosenPicture } from './picture.js';

const copy = launchWords;

interface PictureFieldProps {
  readonly picture: ChosenPicture | undefined;
  readonly onPicture: (picture: ChosenPicture | undefined) => void;
}

export function PictureField({ picture, onPicture }: PictureFieldProps) {
  const id = useId();
  const [problem, setProblem] = useState<string>();
  const choose = async (file: File | undefined) => {
    if (file === undefined) return;
    try {
      onPicture(await readPicture(file));
      setProblem(undefined);
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  return (
    <div className="field">
      <label htmlFor={id}>{copy.picture}</label>
      <div
        className="drop"
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          void choose(event.dataTransfer.files[0]);
        }}
      >
        {picture !== undefined && <img className="art" src={picture.url} alt="" width="64" height="64" />}
        <input
          id={id}
          type="file"
          accept="image/png,image/jpeg,image/webp,image/gif"
          aria-describedby={`${id}-about`}
          aria-invalid={problem !== undefined}
          onChange={(event) => void choose(event.target.files?.[0])}
        />
        {picture !== undefined && (
          <button type="button" className="btn quiet lesser" onClick={() => onPicture(undefined)}>
            {copy.remove}
          </button>
        )}
      </div>
      <p id={`${id}-about`} className={problem === undefined ? 'hint' : 'problem'} role="status">
        {problem ?? copy.pictureHint}
      </p>
    </div>
  );
}

import { useId, useState } from 'react';
import { launchWords } from '../words/launch.js';
import { CropField } from './crop-field.js';
import { readPicture, type ChosenPicture } from './picture.js';
import { useCrop } from './use-crop.js';

const copy = launchWords;

interface PictureFieldProps {
  readonly picture: ChosenPicture | undefined;
  readonly onPicture: (picture: ChosenPicture | undefined) => void;
}

export function PictureField({ picture, onPicture }: PictureFieldProps) {
  const id = useId();
  const [problem, setProblem] = useState<string>();
  const { image, crop, begin, change, end } = useCrop(picture, onPicture);
  const choose = async (file: File | undefined) => {
    if (file === undefined) return;
    try {
      const chosen = await readPicture(file);
      onPicture(chosen);
      setProblem(undefined);
      await begin(chosen);
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  const remove = () => {
    end();
    onPicture(undefined);
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
        {picture !== undefined && image === undefined && (
          <img className="art" src={picture.url} alt="" width="64" height="64" />
        )}
        <input
          id={id}
          type="file"
          accept="image/png,image/jpeg,image/webp,image/gif"
          aria-describedby={`${id}-about`}
          aria-invalid={problem !== undefined}
          onChange={(event) => void choose(event.target.files?.[0])}
        />
        {picture !== undefined && (
          <button type="button" className="btn quiet lesser" onClick={remove}>
            {copy.remove}
          </button>
        )}
      </div>
      {picture !== undefined && image !== undefined && (
        <CropField image={image} crop={crop} onCrop={change} />
      )}
      <p id={`${id}-about`} className={problem === undefined ? 'hint' : 'problem'} role="status">
        {problem ?? copy.pictureHint}
      </p>
    </div>
  );
}

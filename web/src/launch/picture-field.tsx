import { useId } from 'react';
import { launchWords } from '../words/launch.js';
import { CropField } from './crop-field.js';
import { readPicture, type ChosenPicture } from './picture.js';
import { useCrop } from './use-crop.js';

const copy = launchWords;

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
        {(picture !== undefined || problem !== undefined) && (
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

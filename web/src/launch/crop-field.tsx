// The frame over a chosen picture.
import { type PointerEvent, useEffect, useId, useRef } from 'react';
import { launchWords as copy } from '../words/launch.js';
import { type Crop, draw, MOST_ZOOM, moved, squareOf } from './crop.js';

/** Side of the frame in pixels, twice its size on the page. */
const FRAME = 240;
const WHOLE = 100;

interface CropFieldProps {
  readonly image: HTMLImageElement;
  readonly crop: Crop;
  readonly onCrop: (changed: (before: Crop) => Crop) => void;
}

/** A square frame over the picture, moved by dragging or by sliders that work without a mouse. */
export default function CropField({ image, crop, onCrop }: CropFieldProps) {
  const frame = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (frame.current !== null) draw(image, crop, frame.current);
  }, [image, crop]);

  const held = useRef<{ readonly x: number; readonly y: number }>(null);
  const hold = (event: PointerEvent<HTMLCanvasElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    held.current = { x: event.clientX, y: event.clientY };
  };
  const drag = ({ currentTarget, clientX, clientY }: PointerEvent<HTMLCanvasElement>) => {
    if (held.current === null) return;
    const { clientWidth } = currentTarget;
    const [right, down] = [clientX - held.current.x, clientY - held.current.y];
    held.current = { x: clientX, y: clientY };
    onCrop((before) => {
      const scale = squareOf(image, before).side / clientWidth;
      return moved(image, before, right * scale, down * scale);
    });
  };
  const release = () => {
    held.current = null;
  };
  return (
    <div className="crop" role="group" aria-label={copy.crop}>
      <canvas
        ref={frame}
        width={FRAME}
        height={FRAME}
        onPointerDown={hold}
        onPointerMove={drag}
        onPointerUp={release}
        onPointerCancel={release}
      />
      <div>
        <Slider
          label={copy.zoom}
          least={1}
          most={MOST_ZOOM}
          value={crop.zoom}
          onValue={(zoom) => onCrop((before) => ({ ...before, zoom }))}
        />
        <Slider
          label={copy.across}
          value={crop.across}
          onValue={(across) => onCrop((before) => ({ ...before, across }))}
        />
        <Slider
          label={copy.down}
          value={crop.down}
          onValue={(down) => onCrop((before) => ({ ...before, down }))}
        />
      </div>
    </div>
  );
}

interface SliderProps {
  readonly label: string;
  readonly least?: number;
  readonly most?: number;
  readonly value: number;
  readonly onValue: (value: number) => void;
}

function Slider({ label, least = 0, most = 1, value, onValue }: SliderProps) {
  const id = useId();
  return (
    <>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="range"
        min={least}
        max={most}
        step={1 / WHOLE}
        value={value}
        aria-valuetext={`${Math.round(value * WHOLE)} %`}
        onChange={(event) => onValue(event.target.valueAsNumber)}
      />
    </>
  );
}

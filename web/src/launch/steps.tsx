import { launchWords } from '../words/launch.js';
import type { Step } from './use-launch.js';

const copy = launchWords.steps;
const STEPS = ['upload', 'sign', 'confirm', 'done'] as const;

export function Steps({ step }: { readonly step: Step | undefined }) {
  const at = step === undefined ? -1 : STEPS.indexOf(step);
  return (
    <div role="status" data-testid="steps" data-at={step ?? ''}>
      <ol className="steps">
        {STEPS.map((each, index) => (
          <li
            key={each}
            className={index < at || step === 'done' ? 'past' : index === at ? 'now' : undefined}
          >
            {copy[each]}
          </li>
        ))}
      </ol>
    </div>
  );
}

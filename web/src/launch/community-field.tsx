import { finePercent } from '../format.js';
import { launchWords } from '../words/launch.js';
import { TextField } from './text-field.js';
import { COMMUNITY_FEES, termsOf, type LaunchForm, type Problems } from './words-of-form.js';

const copy = launchWords;
const PARTS = ['burn', 'holders', 'lp'] as const;

interface CommunityFieldProps {
  readonly form: LaunchForm;
  readonly problems: Problems;
  readonly onChange: (change: Partial<LaunchForm>) => void;
}

/** The fields for the community's share at graduation. */
export function CommunityField({ form, problems, onChange }: CommunityFieldProps) {
  const terms = termsOf(form);
  return (
    <fieldset className="field">
      <legend>{copy.community}</legend>
      <div className="chips six">
        {COMMUNITY_FEES.map((bps) => (
          <button
            key={bps}
            type="button"
            aria-pressed={form.feeBps === bps}
            onClick={() => onChange({ feeBps: bps })}
          >
            {bps === 0 ? copy.none : finePercent(bps)}
          </button>
        ))}
      </div>
      {form.feeBps > 0 && (
        <div className="three">
          {PARTS.map((part) => (
            <TextField
              key={part}
              label={`${copy[part]}, %`}
              value={form[part]}
              numeric
              problem={undefined}
              onChange={(value) => onChange({ [part]: value })}
            />
          ))}
        </div>
      )}
      <p className={problems.parts === undefined ? 'hint' : 'problem'} role="status">
        {problems.parts ??
          (form.feeBps === 0 || terms === undefined
            ? copy.communityHint
            : `${copy.creatorPart(finePercent(terms.creatorBps))} ${copy.communityHint}`)}
      </p>
    </fieldset>
  );
}

import type { Keypair } from '@solana/web3.js';
import { useEffect, useRef, useState } from 'react';
import { ClockNote } from '../clock/note.js';
import { useConfig } from '../config.js';
import { keepDraft, keptDraft } from '../launch/draft.js';
import { completedLink, LINKS } from '../launch/link-text.js';
import { CommunityField } from '../launch/community-field.js';
import { Funds } from '../launch/funds.js';
import { LaunchButton, type Signers } from '../launch/launch-button.js';
import type { ChosenPicture } from '../launch/picture.js';
import { PictureField } from '../launch/picture-field.js';
import { Preview } from '../launch/preview.js';
import { Steps } from '../launch/steps.js';
import { TextField } from '../launch/text-field.js';
import { useLaunch } from '../launch/use-launch.js';
import { LIMITS, problemsOf, type LaunchForm, type Problems } from '../launch/words-of-form.js';
import { words } from '../words/words.js';
import { launchWords } from '../words/launch.js';
import { loaded } from '../load.js';

const copy = launchWords;

export default function Launch() {
  const config = useConfig();
  const [form, setForm] = useState<LaunchForm>(keptDraft);
  const [picture, setPicture] = useState<ChosenPicture>();
  const [pictureProblem, setPictureProblem] = useState<string>();
  const [shown, setShown] = useState(false);
  const [mint, setMint] = useState<Keypair>();
  const preview = useRef<HTMLDivElement>(null);
  const { step, problem, start } = useLaunch();
  useEffect(() => {
    // Create the mint address before the launch, so that the preview shows the token's real art.
    void loaded(() => import('../chain/launch.js')).then(({ newMint }) => setMint(newMint()));
  }, []);
  useEffect(() => keepDraft(form), [form]);
  const change = (part: Partial<LaunchForm>) => setForm((before) => ({ ...before, ...part }));
  const found = problemsOf(form, config);
  // Report empty fields only after the first attempt to launch.
  const problems = shown ? found : ofFilled(found, form);
  const busy = step !== undefined;

  const launch = (signers: Signers) => {
    setShown(true);
    if (Object.keys(found).length > 0 || pictureProblem !== undefined || mint === undefined) {
      document.querySelector<HTMLElement>('.launch [aria-invalid="true"]')?.focus();
      return;
    }
    const art = preview.current?.querySelector<SVGSVGElement>('svg.art') ?? null;
    void start(signers, { form, picture, mint, art });
  };
  const field = (name: 'name' | 'symbol' | 'description' | 'uri' | (typeof LINKS)[number]) => ({
    value: form[name],
    problem: problems[name],
    onChange: (value: string) => change({ [name]: value }),
  });
  return (
    <>
      <div className="section">
        <h1>{copy.title}</h1>
      </div>
      <p className="muted">{copy.intro}</p>
      <div className="launch">
        <form className="card launch-form" onSubmit={(event) => event.preventDefault()} noValidate>
          <div className="two">
            <TextField label={copy.name} most={LIMITS.name} {...field('name')} />
            <TextField label={copy.symbol} most={LIMITS.symbol} {...field('symbol')} />
          </div>
          {config.uploads ? (
            <>
              <PictureField
                picture={picture}
                onPicture={setPicture}
                problem={pictureProblem}
                onProblem={setPictureProblem}
              />
              <TextField label={copy.description} most={LIMITS.description} lines {...field('description')} />
              <fieldset className="field">
                <legend>{copy.links}</legend>
                <div className="two">
                  {LINKS.map((link) => (
                    <TextField
                      key={link}
                      label={words.tokenPage.links[link]}
                      placeholder="https://"
                      onBlur={() => change({ [link]: completedLink(link, form[link]) })}
                      {...field(link)}
                    />
                  ))}
                </div>
              </fieldset>
            </>
          ) : (
            <TextField label={copy.uri} most={LIMITS.uri} hint={copy.noUploads} {...field('uri')} />
          )}
          <CommunityField form={form} problems={problems} onChange={change} />
          <TextField
            label={`${copy.firstBuy}, SOL`}
            value={form.firstBuy}
            problem={problems.firstBuy}
            hint={copy.firstBuyHint}
            placeholder="0"
            numeric
            onChange={(value) => change({ firstBuy: value })}
          />
        </form>
        <div className="launch-side" ref={preview}>
          <Preview form={form} picture={picture} seed={mint?.publicKey.toBase58() ?? ''} />
          <Funds form={form} />
          <LaunchButton busy={busy || mint === undefined} onLaunch={launch} />
          <Steps step={step} />
          <ClockNote />
          {problem !== undefined && (
            <p className="alert" role="alert" data-testid="problem">
              {problem.text}
            </p>
          )}
        </div>
      </div>
    </>
  );
}

function ofFilled(found: Problems, form: LaunchForm): Problems {
  return Object.fromEntries(
    Object.entries(found).filter(([field]) => field === 'parts' || form[field as keyof LaunchForm] !== ''),
  );
}

import type { Keypair } from '@solana/web3.js';
import { useEffect, useRef, useState } from 'react';
import { ClockNote } from '../clock/note.js';
import { useConfig } from '../config.js';
import { keepDraft, keptDraft } from '../launch/draft.js';
import { completedLink, LINKS } from '../launch/link-text.js';
import { CommunityField } from '../launch/community-field.js';
import { LaunchButton, type Signers } from '../launch/launch-button.js';
import type { ChosenPicture } from '../launch/picture.js';
import { PictureField } from '../launch/picture-field.js';
import { Preview } from '../launch/preview.js';
import { SameNames } from '../launch/same-names.js';
import { TextField } from '../launch/text-field.js';
import { type Step, useLaunch } from '../launch/use-launch.js';
import { type LaunchForm, LIMITS, type Problems, problemsOf, riskOf } from '../launch/words-of-form.js';
import { useAccount } from '../wallet/store.js';
import { words } from '../words/words.js';
import { launchWords } from '../words/launch.js';
import { loaded } from '../load.js';
import { exactSol } from '../format.js';
import { useBalances } from '../wallet/balances.js';
import { Faucet } from '../wallet/faucet.js';
import { costsOf } from '../launch/costs.js';

const copy = launchWords;
const READ_MS = 1_000;

export default function Launch() {
  const config = useConfig();
  const [form, setForm] = useState<LaunchForm>(keptDraft);
  const [picture, setPicture] = useState<ChosenPicture>();
  const [pictureProblem, setPictureProblem] = useState<string>();
  const [shown, setShown] = useState(false);
  const [mint, setMint] = useState<Keypair>();
  const preview = useRef<HTMLDivElement>(null);
  const { step, problem, start } = useLaunch();
  const account = useAccount();
  const [touched, setTouched] = useState(false);
  const isWanted = touched || account !== undefined;
  useEffect(() => {
    if (!isWanted) return;
    // Create the mint address before the launch, so that the preview shows the token's real art. Making it loads web3.js, which
    // nobody needs who only looks at the form.
    loaded(() => import('../chain/launch.js')).then(
      ({ newMint }) => setMint((before) => before ?? newMint()),
      (error: unknown) => console.warn(error),
    );
  }, [isWanted]);
  useEffect(() => keepDraft(form), [form]);
  const change = (part: Partial<LaunchForm>) => setForm((before) => ({ ...before, ...part }));
  const found = problemsOf(form, config);
  // Report empty fields only after the first attempt to launch.
  const problems = shown ? found : ofFilled(found, form);
  const busy = step !== undefined;

  const [refused, setRefused] = useState(0);
  useEffect(() => {
    // After the render that marks the fields. On a phone the field is above the button, out of sight.
    if (refused === 0) return;
    const field = document.querySelector<HTMLElement>('.launch [aria-invalid="true"]');
    field?.scrollIntoView({ block: 'center' });
    field?.focus({ preventScroll: true });
  }, [refused]);
  const risk = riskOf(form, config);
  const [accepted, setAccepted] = useState<{ readonly risk: string; readonly at: number }>();
  const launch = (signers: Signers) => {
    setShown(true);
    if (Object.keys(found).length > 0 || pictureProblem !== undefined || mint === undefined) {
      setRefused((before) => before + 1);
      return;
    }
    if (risk !== undefined && accepted?.risk !== risk) return setAccepted({ risk, at: performance.now() });
    // The second click of a double click must not accept what nobody has read.
    if (risk !== undefined && performance.now() - accepted!.at < READ_MS) return;
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
        <form
          className="card launch-form"
          onSubmit={(event) => event.preventDefault()}
          onFocus={() => setTouched(true)}
          noValidate
        >
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
          <SameNames form={form} />
          <Funds form={form} />
          {risk !== undefined && (
            <p className="alert warn" role="status" data-testid="risk">
              {risk}
            </p>
          )}
          <LaunchButton
            busy={busy || mint === undefined}
            isAgain={risk !== undefined && accepted?.risk === risk}
            onLaunch={launch}
          />
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

/** Says that the wallet has too little SOL for the launch, with the faucet where there is one. */
function Funds({ form }: { readonly form: LaunchForm }) {
  const config = useConfig();
  const account = useAccount();
  const balances = useBalances(account?.address);
  if (account === undefined || balances === undefined) return null;
  const { spent, cost } = costsOf(form, config, balances.rent);
  if (balances.sol >= spent + cost) return null;
  return (
    <>
      <p className="alert warn" role="status" data-testid="funds">
        {launchWords.tooLittle(exactSol(spent + cost), exactSol(balances.sol))}
      </p>
      {config.faucet && <Faucet address={account.address} />}
    </>
  );
}

const stepNames = launchWords.steps;
const STEPS = ['upload', 'sign', 'confirm', 'done'] as const;

function Steps({ step }: { readonly step: Step | undefined }) {
  const at = step === undefined ? -1 : STEPS.indexOf(step);
  return (
    <div role="status" data-testid="steps" data-at={step ?? ''}>
      <ol className="steps">
        {STEPS.map((each, index) => (
          <li
            key={each}
            className={index < at || step === 'done' ? 'past' : index === at ? 'now' : undefined}
          >
            {stepNames[each]}
          </li>
        ))}
      </ol>
    </div>
  );
}

import type { TransactionPartialSigner } from '@solana/kit';
import { useEffect, useRef, useState } from 'react';
import { ClockNote } from '../clock/note.js';
import { useConfig } from '../config.js';
import { useFormStore } from '../form-store.js';
import { keepDraft, keptDraft } from '../launch/draft.js';
import { completedLink, LINKS } from '../launch/link-text.js';
import { CommunityField } from '../launch/community-field.js';
import { FeeShareField } from '../launch/fee-share-field.js';
import { FirstBuyField } from '../launch/first-buy-field.js';
import { LaunchButton, type Signers } from '../launch/launch-button.js';
import type { ChosenPicture } from '../launch/picture.js';
import { PictureField } from '../launch/picture-field.js';
import { Preview } from '../launch/preview.js';
import { SameNames } from '../launch/same-names.js';
import { TextField } from '../launch/text-field.js';
import { type Step, useLaunch } from '../launch/use-launch.js';
import {
  firstBuyOf,
  type LaunchForm,
  LIMITS,
  type Problems,
  problemsOf,
  riskOf,
} from '../launch/words-of-form.js';
import { useAccount } from '../wallet/store.js';
import { words } from '../words/words.js';
import { launchWords } from '../words/launch.js';
import { loaded } from '../load.js';
import { exactSol } from '../format.js';
import { useBalances } from '../wallet/balances.js';
import { Faucet } from '../wallet/faucet.js';
import { costOf } from '../launch/costs.js';

const copy = launchWords;

export default function Launch() {
  const config = useConfig();
  const form = useFormStore(keptDraft, keepDraft);
  const { values, set } = form;
  const [picture, setPicture] = useState<ChosenPicture>();
  const [pictureProblem, setPictureProblem] = useState<string>();
  const [mint, setMint] = useState<TransactionPartialSigner>();
  const [hasLinks] = useState(() => LINKS.some((link) => values[link] !== ''));
  const preview = useRef<HTMLDivElement>(null);
  const { step, problem, start } = useLaunch();
  const account = useAccount();
  const isConnected = account !== undefined;
  useEffect(() => {
    if (!isConnected) return;
    // Create the mint address before the launch, so that the preview shows the token's real art. Making it loads Kit, which
    // nobody needs without a wallet.
    loaded(() => import('../chain/launch.js'))
      .then(({ newMint }) => newMint())
      .then(
        (made) => setMint((before) => before ?? made),
        (error: unknown) => console.warn(error),
      );
  }, [isConnected]);
  const found = problemsOf(values, config);
  // Report empty fields only after the first attempt to launch.
  const problems = form.refused > 0 ? found : ofFilled(found, values);
  useEffect(() => {
    // After the render that marks the fields. On a phone the field is above the button, out of sight.
    if (form.refused === 0) return;
    const field = document.querySelector<HTMLElement>('.launch [aria-invalid="true"]');
    field?.closest('details')?.setAttribute('open', '');
    field?.scrollIntoView({ block: 'center' });
    field?.focus({ preventScroll: true });
  }, [form.refused]);
  const risk = riskOf(values, config);
  const launch = (signers: Signers) => {
    if (mint === undefined) return;
    const isWrong = Object.keys(found).length > 0 || pictureProblem !== undefined;
    const art = preview.current?.querySelector<SVGSVGElement>('svg.art') ?? null;
    form.press({ isWrong, risk, run: () => start(signers, { form: values, picture, mint, art }) });
  };
  const field = (name: 'name' | 'symbol' | 'description' | 'uri' | (typeof LINKS)[number]) => ({
    value: values[name],
    problem: problems[name],
    onChange: (value: string) => set({ [name]: value }),
  });
  return (
    <>
      <div className="section">
        <h1>{copy.title}</h1>
      </div>
      <p className="muted">{copy.intro}</p>
      <div className="launch">
        <form className="card launch-form" {...form.element}>
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
              <details className="fold" open={hasLinks}>
                <summary className="link">{copy.links}</summary>
                <div className="two">
                  {LINKS.map((link) => (
                    <TextField
                      key={link}
                      label={words.tokenPage.links[link]}
                      placeholder="https://"
                      onBlur={() => set({ [link]: completedLink(link, values[link]) })}
                      {...field(link)}
                    />
                  ))}
                </div>
              </details>
            </>
          ) : (
            <TextField label={copy.uri} most={LIMITS.uri} hint={copy.noUploads} {...field('uri')} />
          )}
          <CommunityField form={values} onChange={set} />
          <FeeShareField form={values} problem={problems.earners} onChange={set} />
          <FirstBuyField
            form={values}
            problem={problems.firstBuy}
            onChange={(firstBuy) => set({ firstBuy })}
          />
        </form>
        <div className="launch-side" ref={preview}>
          <Preview form={values} picture={picture} seed={mint?.address ?? ''} />
          <SameNames form={values} />
          <Funds form={values} />
          {risk !== undefined && (
            <p className="alert warn" role="status" data-testid="risk">
              {risk.what}
            </p>
          )}
          <LaunchButton
            disabled={mint === undefined || !form.isReady(risk)}
            title={form.isAsked(risk) ? copy.submitAgain : copy.submit}
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
    Object.entries(found).filter(([field]) => form[field as keyof LaunchForm] !== ''),
  );
}

/** Says that the wallet has too little SOL for the launch, with the faucet where there is one. */
function Funds({ form }: { readonly form: LaunchForm }) {
  const config = useConfig();
  const account = useAccount();
  const balances = useBalances(account?.address);
  if (account === undefined || balances === undefined) return null;
  const spent = firstBuyOf(form, config).quote?.solSpent ?? 0n;
  const needed = spent + costOf(config, balances.rent, spent > 0n);
  if (balances.sol >= needed) return null;
  return (
    <>
      <p className="alert warn" role="status" data-testid="funds">
        {launchWords.tooLittle(exactSol(needed), exactSol(balances.sol))}
      </p>
      {config.faucet && <Faucet address={account.address} />}
    </>
  );
}

const stepNames = launchWords.steps;
const STEPS = ['upload', 'sign', 'confirm', 'done'] as const;

function Steps({ step }: { readonly step: Step | undefined }) {
  const at = STEPS.findIndex((each) => each === step);
  return (
    <div role="status" data-testid="steps" data-at={step ?? ''}>
      {step !== undefined && (
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
      )}
    </div>
  );
}

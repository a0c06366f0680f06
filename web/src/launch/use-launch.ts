// A launch from the click to the token's page: upload the picture, sign, wait for the index.
import type { TransactionPartialSigner } from '@solana/kit';
import { useState } from 'react';
import type { Sign, SignMessage } from '../chain/types.js';
import { timedFetch } from '../clock/device-clock.js';
import { useConfig } from '../config.js';
import type { Problem } from '../errors.js';
import { loaded } from '../load.js';
import { market } from '../market/api.js';
import { go } from '../router.js';
import { toast, useIsLeft } from '../shell/toast.js';
import { problemOf } from '../trade/problems.js';
import { refreshBalances } from '../wallet/balances.js';
import { launchWords } from '../words/launch.js';
import { artPicture, type ChosenPicture } from './picture.js';
import { forgetDraft } from './draft.js';
import { noteLaunched } from './just-launched.js';
import { completedLink, LINKS } from './link-text.js';
import { firstBuyOf, type LaunchForm } from './words-of-form.js';

export type Step = 'upload' | 'sign' | 'confirm' | 'done';

interface Launcher {
  readonly wallet: string;
  readonly sign: Sign;
  readonly signMessage: SignMessage;
}

interface Launching {
  readonly form: LaunchForm;
  readonly picture: ChosenPicture | undefined;
  readonly mint: TransactionPartialSigner;
  /** The art's SVG element, for a token without a picture. */
  readonly art: SVGSVGElement | null;
}

const SERVICE = { baseUrl: location.origin, fetch: timedFetch };
const LOOK_MS = 300;
const MOST_LOOKS = 60;

export function useLaunch() {
  const config = useConfig();
  const isLeft = useIsLeft();
  const [step, setStep] = useState<Step>();
  const [problem, setProblem] = useState<Problem>();

  async function start({ wallet, sign, signMessage }: Launcher, launching: Launching): Promise<void> {
    const { form, mint } = launching;
    setProblem(undefined);
    try {
      setStep('upload');
      const uri = config.uploads ? await uploaded(wallet, signMessage, launching) : form.uri.trim();
      setStep('sign');
      const { chooseFeeShare, launch } = await loaded(() => import('../chain/launch.js'));
      const { quote } = firstBuyOf(form, config);
      const share =
        form.earns === 'creator' || config.creatorShareBps === 0
          ? undefined
          : (await loaded(() => import('./earners.js'))).feeShareOf(form.earns, form.earners);
      await launch(config, {
        wallet,
        mint,
        name: form.name.trim(),
        symbol: form.symbol.trim(),
        uri,
        afterMigrationFee: form.feeBps,
        afterMigrationBurnBp: form.burn * 100,
        afterMigrationHoldersBp: form.holders * 100,
        afterMigrationLpBp: form.lp * 100,
        firstBuy: quote?.solToSpend,
        minTokenToReceive: quote?.minTokenToReceive,
        feeShare:
          share &&
          ((token) => chooseFeeShare({ address: wallet, signMessage }, { ...token, share }, SERVICE)),
        sign,
        onSigned: () => setStep('confirm'),
      });
      setStep('done');
      forgetDraft();
      void refreshBalances();
      const address = mint.address;
      await untilListed(address);
      noteLaunched(address);
      if (isLeft.current) toast(launchWords.launched(form.name.trim()), true);
      else go(`/t/${address}`);
    } catch (error) {
      console.warn(error);
      const found = problemOf(error);
      setProblem(found);
      setStep(undefined);
      if (isLeft.current) toast(found.text, false);
    }
  }
  return { step, problem, start };
}

async function uploaded(
  wallet: string,
  signMessage: Launcher['signMessage'],
  { form, picture, art }: Launching,
): Promise<string> {
  const { uploadPicture } = await loaded(() => import('../chain/launch.js'));
  const file = (await picture?.file) ?? (art === null ? undefined : await artPicture(art));
  if (file === undefined) throw new Error('there is no picture to upload');
  const links = Object.fromEntries(LINKS.map((link) => [link, completedLink(link, form[link])])) as Record<
    (typeof LINKS)[number],
    string
  >;
  const { name, symbol, description } = form;
  const fields = { name: name.trim(), symbol: symbol.trim(), description: description.trim(), ...links };
  const creator = { address: wallet, signMessage };
  const { uri } = await uploadPicture(creator, { image: file, ...fields }, SERVICE);
  return uri;
}

/** Waits until the service has indexed the token, shortly after its confirmation. */
async function untilListed(mint: string): Promise<void> {
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    try {
      await market.token(mint, { fresh: true });
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }
}

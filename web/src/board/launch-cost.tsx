import { useRent } from '../chain/rent.js';
import { useConfig } from '../config.js';
import { sol } from '../format.js';
import { costOf } from '../launch/costs.js';
import { introWords } from '../words/intro.js';

/** What a launch costs without a first buy, by the rent of the cluster. */
export default function LaunchCost() {
  const config = useConfig();
  const rent = useRent();
  return rent && <> · {introWords.about(sol(costOf(config, rent, false)))}</>;
}

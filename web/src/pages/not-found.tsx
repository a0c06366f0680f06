import { Nowhere } from '../parts/nowhere.js';
import { nowhereWords } from '../words/nowhere.js';
import { words } from '../words/words.js';

export default function NotFound() {
  return <Nowhere title={words.notFound} text={nowhereWords.page} />;
}

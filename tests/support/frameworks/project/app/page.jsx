import { Quote } from './quote.jsx';

export default function Page() {
  return <Quote />;
}

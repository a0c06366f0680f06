import { useConfig } from '../config.js';
import { finePercent, sol } from '../format.js';
import { pageTitles } from '../words/pages.js';
import { termsText } from '../words/terms.js';

/** Information to read before trading. Operators add the legal terms of their country. */
export default function Terms() {
  const { serviceName, platformFeeBps, initialVirtualSol, graduation } = useConfig();
  const facts = { serviceName, fee: finePercent(platformFeeBps), start: sol(initialVirtualSol), graduation };
  return (
    <article className="text-page">
      <div className="section">
        <h1>{pageTitles.terms}</h1>
      </div>
      {termsText(facts).map(({ title, paragraphs }) => (
        <section key={title}>
          <h2>{title}</h2>
          {paragraphs.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </section>
      ))}
    </article>
  );
}

import Dialog from '../parts/dialog.js';
import { keyWords } from '../words/keys.js';

/** The keys of the page. */
export default function Keys({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title={keyWords.title} onClose={onClose}>
      <dl className="facts">
        {keyWords.keys.map(([key, what]) => (
          <div key={key}>
            <dt>{what}</dt>
            <dd>
              <kbd>{key}</kbd>
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

// How a visit ended, in a sentence: the one that the address names (vault/session/leaving.ts). Without a script, the
// browser itself shows it and gives it the focus.
import type { Ending } from '../../vault/session/leaving.ts';

const sentences: Record<Ending, string> = {
  'signed-out': 'You are signed out, in every tab of this browser.',
  'signed-out-without-key': 'You are signed out, and your key is removed from this browser.',
  'signed-out-elsewhere': 'You signed out in another tab. This one is signed out as well.',
  'vault-destroyed':
    'Your vault is destroyed. Nobody can open anything in it any more, and this browser has forgotten its key.',
  'vault-destroyed-elsewhere':
    'Your vault was destroyed in another tab. Nobody can open anything in it any more.',
};

export function Endings() {
  return Object.entries(sentences).map(([id, sentence]) => (
    <p
      key={id}
      id={id}
      tabIndex={-1}
      className="hidden border-b border-line bg-ink-1 px-5 py-4 text-center target:block"
    >
      {sentence}
    </p>
  ));
}

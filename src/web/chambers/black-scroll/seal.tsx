// What the scroll is signed with: its files, how they are checked by hand, and the check in the page.
import type { ReactNode } from 'react';
import { scrollFiles } from '../../../shared/nouns/game.ts';
import { addressOf } from './head.tsx';
import { Part } from './part.tsx';

const files = [
  { name: scrollFiles.scroll, label: 'The scroll', says: 'The text and its signature in one file.' },
  { name: scrollFiles.text, label: 'The text', says: 'Letter by letter as it was signed.' },
  { name: scrollFiles.signature, label: 'The signature', says: 'Detached, for the text.' },
  { name: scrollFiles.manifest, label: 'The manifest', says: 'SHA-256 sums of these files, signed.' },
  { name: scrollFiles.publicKey, label: 'The public key', says: 'Of this server, for OpenPGP.' },
];

export function Seal({ verify }: { verify: ReactNode }) {
  return (
    <Part
      id="seal"
      title="The seal"
      says="This server signed the scroll with its own OpenPGP key. Download the files and check them with gpg or sq, or let this page check them."
    >
      <ul className="border-b border-line/70">
        {files.map(({ name, label, says }) => (
          <li
            key={name}
            className="grid items-baseline gap-x-8 gap-y-1 border-t border-line/70 py-4 sm:grid-cols-[11rem_minmax(0,1fr)_auto]"
          >
            <span className="font-display text-name font-medium">{label}</span>
            <span className="text-note text-dust">{says}</span>
            <a
              href={addressOf(name)}
              download={name}
              className="py-1 font-machine text-tiny text-ember underline decoration-ember/40 underline-offset-6 transition-colors wrap-anywhere hover:decoration-ember"
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
      <div className="grid gap-3">
        <p className="label text-dust">By hand</p>
        <pre className="border border-line bg-ink-1 px-5 py-4 text-small/[1.9] whitespace-pre-wrap text-verdigris wrap-anywhere">
          {`gpg --import ${scrollFiles.publicKey}\ngpg --verify ${scrollFiles.signature} ${scrollFiles.text}`}
        </pre>
      </div>
      {verify}
    </Part>
  );
}

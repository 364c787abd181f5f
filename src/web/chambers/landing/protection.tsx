// What protects a vault, in true words, and what does not.
import type { ReactNode } from 'react';
import { SOURCE_PATH } from '../../../shared/screens.ts';
import { Sigil } from '../../ui/sigil.tsx';
import { Section } from './section.tsx';

/** One sentence, and the same sentence sealed: 12 bytes of IV, 256 padded bytes and a 16-byte tag. The key was burned. */
const written = ['There is a bell under the lake.', 'It still rings.'];
const sealed =
  'pMDy8ZvlVCeZxWSynn+o4n+VkEKODBb8HTGFKnkbJzFKGxGhtiicwb9brmYD3WaeiuP1n3HaeO6bJtTtUzNMEvhuZFVECQ/RHE+wBLrymjtHwL8qxxqN5XMOWr7TNkIEgVQ+QbqBE/2sL1/XpYCkAeGWdvYzBOMC4y2fa30F2eEqnJMukGupMdyWTxVlkbXgv0TAFfQEmdd25c5W5GX0MooKwJ4/mzSl6UtzarmmDWpan52qoFl6OX0mbIEyJehsBV/OCfzhdAtxxZI2bwkuTr1ir4U5y9M5HlNPCt1VNj4qwhBcFKVjjus8bh4OGRrWOnXDSDxVLnxAi3IyA+/K8kbzHkkH2dCVlnZvcq6iRw04o2qqPE0Z1J3O4LY=';

const means: { name: string; once?: string; words: ReactNode }[] = [
  {
    name: 'AES-256-GCM',
    words:
      'Seals every title, name and sentence in your browser. The key is made there, and never leaves it except wrapped in a secret of yours.',
  },
  {
    name: 'ML-KEM-768',
    once: 'formerly Kyber768',
    words:
      'Each vault has a public key of this kind, joined with X25519. What is sealed to it should stay shut to the machines of later, too.',
  },
  {
    name: 'ML-DSA-44',
    once: 'formerly Dilithium2',
    words:
      'Signs what your vault says of itself, and proves who you are when you sign in with the twenty-four words.',
  },
  {
    name: 'Passkeys',
    once: 'biometric unlock',
    words:
      'Your fingerprint or your face stays in your device. The server sees only that the device said yes.',
  },
  {
    name: 'Your own server',
    once: 'AGPL-3.0',
    words: (
      <>
        The{' '}
        <a className="underline underline-offset-4 hover:text-bone" href={SOURCE_PATH}>
          source code
        </a>{' '}
        of this server is open. Run it on a machine of yours, with no third party behind any page.
      </>
    ),
  },
  {
    name: 'Ciphertext only',
    words:
      'A stolen disk, a curious operator, a court: what they find here is sealed and padded. No key lies beside it but one that a secret of yours locks.',
  },
];

export function Protection() {
  return (
    <Section matter="below" eyebrow="The infrastructure" title="The server holds only what it cannot read">
      <figure className="grid border border-line bg-ink-1 md:grid-cols-[1fr_auto_1fr]">
        <div className="p-6 max-md:pb-12 sm:p-9">
          <p className="label text-dust">In your browser</p>
          <p className="mt-5 font-display text-[clamp(1.75rem,1.4rem+1.4vw,2.375rem)]/[1.2]">
            {written.map((sentence) => (
              <span key={sentence} className="block">
                {sentence}{' '}
              </span>
            ))}
          </p>
        </div>
        <div aria-hidden="true" className="relative border-line max-md:border-t md:border-l">
          <Sigil
            name="lock"
            className="absolute top-1/2 left-1/2 size-18 -translate-1/2 bg-ink-1 p-3.5 text-ember"
          />
        </div>
        <div className="p-6 max-md:pt-12 sm:p-9">
          <p className="label text-dust">On this server</p>
          <p className="mt-5 font-machine text-tiny/[1.6] text-verdigris wrap-anywhere">{sealed}</p>
        </div>
        <figcaption className="sr-only">The same sentence before and after it is sealed.</figcaption>
      </figure>
      <dl className="grid gap-px border border-line bg-line sm:grid-cols-2 md:grid-cols-3">
        {means.map((mean) => (
          <div key={mean.name} className="bg-ink-0 p-6 sm:p-9">
            <dt className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
              <span className="font-display text-name font-medium">{mean.name}</span>{' '}
              {mean.once && <span className="label text-shade">{mean.once}</span>}
            </dt>
            <dd className="mt-2.5 text-note text-dust">{mean.words}</dd>
          </div>
        ))}
      </dl>
      <div className="grid gap-x-16 gap-y-4 md:grid-cols-[5fr_7fr]">
        <h3 className="font-display text-name font-medium">And what does not protect you</h3>
        <p className="text-note text-dust">
          All of this holds while the server serves the code that you can read. One taken over could serve
          other code, and take a key while you use it. Time locks are the server’s word, not mathematics. It
          sees the name you sign in by, when you write, how much, and for how long you lock it. And whoever
          loses every recovery method has lost the vault: nobody can open it, this server included.
        </p>
      </div>
    </Section>
  );
}

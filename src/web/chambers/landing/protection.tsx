// What protects a vault, in true words, and what does not.
import type { ReactNode } from 'react';
import { SOURCE_PATH } from '../../../shared/screens.ts';
import { Example } from './example.tsx';
import { Fold, Section } from './section.tsx';

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
      'The public key of each vault, joined with X25519. What is sealed to it should stay shut to the machines of later, too.',
  },
  {
    name: 'ML-DSA-44',
    once: 'formerly Dilithium2',
    words: 'Signs what your vault says of itself, and who you are when you enter by the twenty-four words.',
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
    <Section eyebrow="The infrastructure" title="The server holds only what it cannot read">
      <Example />
      <Fold summary="What protects a vault">
        {means.map(({ name, once, words }) => (
          <div key={name}>
            <dt className="flex flex-wrap items-baseline gap-x-4">
              <span className="font-display text-[1.25rem]/[1.2] font-medium">{name}</span>{' '}
              {once && <span className="label text-shade">{once}</span>}
            </dt>
            <dd className="mt-1 text-small text-dust">{words}</dd>
          </div>
        ))}
      </Fold>
      <div className="grid gap-x-16 gap-y-2 md:grid-cols-[1fr_2fr]">
        <h3 className="font-display text-name font-medium">And what does not protect you</h3>
        <p className="text-note text-dust">
          All of this holds while the server serves the code that you can read. One taken over could serve
          other code, and take a key while you use it. Time locks are the server’s word, not mathematics. It
          sees the name you sign in by, when you write, how much, and for how long you lock it. Whoever loses
          every recovery method has lost the vault.
        </p>
      </div>
    </Section>
  );
}

// What a server can see and who hears anything, in plain words; field by field at the end, from the list that the program
// checks every call against.
import type { ReactNode } from 'react';
import { inShort, limits } from '../../../shared/privacy.ts';
import { besideTheCalls, whatTheServerSees } from '../../../shared/server-sees.ts';

export const PRIVACY_LEAD =
  'What this server can see of you, what it cannot, and who else hears anything. In short first; every field at the end.';

const others = [
  'No script, font or picture of these pages comes from anywhere but this server, and nothing counts your visits.',
  'Mail goes through mail servers, and a text message through a telephone company. They see whom it is for and what it says, which is never a word of a letter.',
  'If this server sells a plan, the payment provider learns what you type into its form. If it reads a token, it asks a public chain, and not about you.',
  'Only where you agree does a language model or a speech service hear words of yours. The form names it first.',
];

const kept = [
  'What you delete waits 30 days, so that you can bring it back, and is then erased.',
  'What you destroy is gone with the answer for everybody, and is erased within minutes. Backups of the administrator hold the sealed words until they are deleted.',
  'The log of the server has no addresses, no names, and nothing that was typed.',
  'You can export everything at any time, sealed or readable, and destroy the vault yourself.',
];

const seen = whatTheServerSees();

export function PrivacyWords() {
  return (
    <div className="max-w-[46rem]">
      <Part title="What this server can see">
        <Points points={inShort} />
      </Part>
      <Part title="Who else hears anything">
        <Points points={others} />
      </Part>
      <Part title="How long it is kept">
        <Points points={kept} />
      </Part>
      <Part title="Where the protection ends">
        <Points points={limits} />
      </Part>
      <Part title="Field by field">
        <p className="text-dust">
          These come from the list that the program checks every call against, so none can be forgotten here.
        </p>
        {seen.map(({ class: name, words, fields }) => (
          <section key={name} className="mt-6">
            <h3 className="label text-dust">{words}</h3>
            <p className="mt-2 text-note text-shade">{fields.join(' · ')}</p>
          </section>
        ))}
        <section className="mt-6">
          <h3 className="label text-dust">Has besides, while it answers and keeps</h3>
          <ul className="mt-2 grid gap-2 text-note text-shade">
            {besideTheCalls.map(({ what, says }) => (
              <li key={what}>
                <span className="text-dust">{what}</span> {says}.
              </li>
            ))}
          </ul>
        </section>
      </Part>
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="border-t border-line pt-8 pb-12">
      <h2 className="mb-5 font-display text-heading">{title}</h2>
      {children}
    </section>
  );
}

const Points = ({ points }: { points: readonly string[] }) => (
  <ul className="grid gap-4">
    {points.map((point) => (
      <li key={point} className="border-l border-line pl-5">
        {point}
      </li>
    ))}
  </ul>
);

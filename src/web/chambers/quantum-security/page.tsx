// Quantum Security: the key's fingerprint, what protects what, what the server can see, and a trial on the spot.
import { Link } from 'wouter';
import { inFours } from '../../../shared/in-fours.ts';
import { inShort, limits } from '../../../shared/privacy.ts';
import { SOURCE_PATH } from '../../../shared/screens.ts';
import { besideTheCalls, whatTheServerSees } from '../../../shared/server-sees.ts';
import { Chamber } from '../../shell/chamber.tsx';
import { Section } from '../../ui/section.tsx';
import { RegenerateKey } from '../../vault/key/rotation/regenerate-key.tsx';
import { useVault } from '../../vault/session/vault-context.ts';
import { means } from './means.ts';
import { Trial } from './trial-table.tsx';

const seen = whatTheServerSees();

export default function QuantumSecurityPage() {
  return (
    <Chamber
      title="Quantum Security"
      lead={
        <>
          What protects your words, from whom, and where it ends. You can check everything on this page in the{' '}
          <a href={SOURCE_PATH} className="underline underline-offset-4 hover:text-bone">
            source code
          </a>
          .
        </>
      }
    >
      <div className="grid">
        <Fingerprint />
        <Section title="What protects what" says="Each means, where it stands, and why it is there.">
          <dl className="grid border-t border-line/70">
            {means.map(({ name, once, where, why }) => (
              <div
                key={name}
                className="grid gap-x-8 gap-y-2 border-b border-line/70 py-6 sm:grid-cols-[min(12rem,30%)_minmax(0,1fr)]"
              >
                <dt>
                  <span className="font-display text-name font-medium">{name}</span>
                  {once && <span className="label mt-1 block text-shade">{once}</span>}
                </dt>
                <dd>
                  {where} <span className="text-dust">{why}</span>
                </dd>
              </div>
            ))}
          </dl>
        </Section>
        <Section
          title="Prove it here"
          says="Your browser seals a sentence, alters it, and must refuse it. It uses a key made for the trial; yours is not touched."
        >
          <Trial />
        </Section>
        <Section title="What this server can see" says="In short, and then field by field.">
          <ul className="grid gap-3">
            {inShort.map((line) => (
              <li key={line} className="border-l border-ember/55 pl-5">
                {line}
              </li>
            ))}
          </ul>
          <div className="grid gap-8">
            <p className="text-note text-dust">
              Whether it shows you everything as it was written is said under{' '}
              <Link href="/book" className="underline underline-offset-4 hover:text-ember">
                The Book
              </Link>
              .
            </p>
            <p className="text-note text-dust">
              The fields below come from the list that the program checks every call against, so none can be
              forgotten here.
            </p>
            {seen.map(({ class: name, words, fields }) => (
              <section key={name}>
                <h3 className="label text-dust">{words}</h3>
                <ul className="mt-3 flex flex-wrap gap-x-3 gap-y-2">
                  {fields.map((field) => (
                    <li
                      key={field}
                      className={`border px-3 py-1.5 text-note ${name === 'sealed' ? 'border-verdigris/50 text-verdigris' : 'border-line text-dust'}`}
                    >
                      {field}
                    </li>
                  ))}
                </ul>
              </section>
            ))}
            <section>
              <h3 className="label text-dust">Has besides, while it answers and keeps</h3>
              <ul className="mt-3 grid gap-2 text-note text-dust">
                {besideTheCalls.map(({ what, says }) => (
                  <li key={what} className="border-l border-line pl-5">
                    <span className="text-bone">{what}</span> {says}.
                  </li>
                ))}
              </ul>
            </section>
          </div>
        </Section>
        <Section title="Where it ends" says="What no cipher gives you.">
          <ul className="grid gap-4">
            {limits.map((limit) => (
              <li key={limit} className="border-l border-line pl-5 text-dust">
                {limit}
              </li>
            ))}
          </ul>
        </Section>
      </div>
    </Chamber>
  );
}

function Fingerprint() {
  const { fingerprint } = useVault();
  return (
    <Section
      title="Your key"
      says="Thirty-two random bytes, made in your browser. Its fingerprint tells it from another key and reveals nothing of it."
    >
      <p className="font-machine text-[clamp(1.25rem,1rem+1.6vw,2rem)] tracking-[0.06em] wrap-anywhere">
        {inFours(fingerprint)}
      </p>
      <div>
        <RegenerateKey />
      </div>
    </Section>
  );
}

// The first thing seen: the name, the wheel behind it, and the one way in.
import { SOURCE_PATH } from '../../../shared/screens.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Wheel } from '../../ui/wheel.tsx';
import { gatheredWords, type Offers } from './offers.ts';

export function Hero({ offers }: { offers: Offers }) {
  return (
    <section className="hero flex flex-col">
      <div className="relative isolate grid flex-1 place-items-center px-5 py-16 text-center">
        <Wheel
          lit={offers.gathered ?? 0}
          hollow
          className="hero-wheel pointer-events-none absolute top-1/2 left-1/2 max-w-none -translate-1/2 text-bone/28"
        />
        <div className="relative">
          <h1 className="hero-name font-display text-hero font-light tracking-[-0.02em]">
            Sacred <em>Memory</em>
          </h1>
          <p className="relative mx-auto mt-7 mb-10 max-w-[33rem] text-lead text-balance text-dust">
            A hiding place for what should outlive the civilisation it happened in. Sealed in your browser,
            unreadable to this server. No e-mail, no sign-up.
          </p>
          <ButtonLink href="/api/login#first-time" tone="primary">
            Begin the Ritual
          </ButtonLink>
          <p className="caps mt-5 text-dust">Three questions. No return.</p>
        </div>
      </div>
      <div className="wrap">
        <ul className="caps flex flex-wrap justify-between gap-x-10 gap-y-3 border-t border-line/70 py-6 text-dust max-sm:flex-col">
          <li>One touch to enter</li>
          <li>AES-256-GCM · ML-KEM-768</li>
          <li>
            {offers.gathered === null ? (
              <a className="underline-offset-8 hover:text-bone hover:underline" href={SOURCE_PATH}>
                Open source · AGPL
              </a>
            ) : (
              gatheredWords(offers.gathered)
            )}
          </li>
        </ul>
      </div>
    </section>
  );
}

// The first thing seen: the name, the wheel behind it, and the one way in.
import { SOURCE_PATH } from '../../../shared/screens.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Wheel } from '../../ui/wheel.tsx';
import { gatheredWords } from './gathered.ts';

export function Hero({ gathered }: { gathered: number | null }) {
  return (
    <section className="hero flex flex-col">
      <div className="relative isolate grid flex-1 place-items-center px-5 py-10 text-center sm:py-16">
        <Wheel
          lit={gathered ?? 0}
          hollow
          className="hero-wheel pointer-events-none absolute top-1/2 left-1/2 max-w-none -translate-1/2 text-bone/28"
        />
        <div className="relative">
          <h1 className="hero-name font-display text-hero font-light tracking-[-0.02em]">
            Sacred <em>Memory</em>
          </h1>
          <div className="relative mx-auto mt-6 mb-7 grid max-w-[33rem] gap-3 sm:mt-7 sm:mb-9 sm:gap-4 text-lead text-balance text-dust">
            <p>
              For everybody who keeps a diary, leaves letters for later, or has something to say to one person
              alone.
            </p>
            <p>A hiding place that this server cannot read. No e-mail, no sign-up.</p>
          </div>
          <ButtonLink href="/api/login#first-time" tone="primary">
            Begin the Ritual
          </ButtonLink>
          <p className="caps mt-5 text-dust">Three questions. No return.</p>
          <p className="mt-5">
            <a className="text-dust underline underline-offset-4 hover:text-bone" href="#example">
              Open an example first, without an account
            </a>
          </p>
        </div>
      </div>
      <div className="wrap max-sm:hidden">
        <ul className="caps flex flex-wrap justify-between gap-x-10 gap-y-2 border-t border-line/70 py-6 text-dust">
          <li>One touch to enter</li>
          <li>AES-256-GCM · ML-KEM-768</li>
          <li>
            {gathered === null ? (
              <a className="underline-offset-8 hover:text-bone hover:underline" href={SOURCE_PATH}>
                Open source · AGPL
              </a>
            ) : (
              gatheredWords(gathered)
            )}
          </li>
        </ul>
      </div>
    </section>
  );
}

// The head of the black scroll: a terminal's frame, the title, and what lies below.
import type { ReactNode } from 'react';
import { sections } from '../../../shared/black-scroll.ts';
import { game, scrollFiles } from '../../../shared/nouns/game.ts';
import { ButtonLink } from '../../ui/button.tsx';

/** Where a file of the scroll is downloaded. */
export const addressOf = (name: string): string => game.file.path.replace('{name}', name);

/** The anchor of a section. */
export const anchorOf = (numeral: string): string => numeral.toLowerCase();

export function Head({ whisper }: { whisper: ReactNode }) {
  return (
    <header className="wrap pt-4 sm:pt-8">
      <div className="border border-line bg-ink-1/60">
        <p className="caps flex flex-wrap justify-between gap-x-6 gap-y-1 border-b border-line px-5 py-3.5 text-dust sm:px-7">
          <span>{scrollFiles.text}</span>
          <span className="max-sm:hidden">Signed</span>
        </p>
        <div className="grid gap-x-16 gap-y-12 px-5 py-9 sm:px-7 md:grid-cols-[minmax(0,1fr)_auto] md:py-14 lg:px-14">
          <div className="grid content-center gap-8">
            <p className="font-machine text-small text-shade">
              <span className="text-verdigris">›</span> cat {scrollFiles.text}
            </p>
            <h1 className="font-display text-hero font-light tracking-[-0.02em]">
              The Black <em>Scroll</em>
            </h1>
            <p className="max-w-gate text-lead text-balance text-dust">
              Why Latebra was built, how it works, and what it cannot do. Seven sections, thirteen rites, one
              signature.
            </p>
            <div className="flex flex-wrap items-center gap-4">
              <ButtonLink tone="primary" href={addressOf(scrollFiles.scroll)} download={scrollFiles.scroll}>
                Download .asc
              </ButtonLink>
              {whisper}
            </div>
          </div>
          <nav
            aria-label="Sections"
            className="self-center font-machine text-small md:border-l md:border-line md:pl-14"
          >
            <ol className="grid gap-1">
              {sections.map(({ numeral, title }) => (
                <li key={numeral}>
                  <a
                    href={`#${anchorOf(numeral)}`}
                    className="group grid grid-cols-[3rem_1fr] py-1.5 text-dust transition-colors hover:text-bone"
                  >
                    <span className="text-verdigris">{numeral}</span>
                    <span className="underline-offset-4 group-hover:underline">{title}</span>
                  </a>
                </li>
              ))}
            </ol>
            <p className="mt-4 text-verdigris" aria-hidden="true">
              ›{' '}
              <span className="inline-block h-[1em] w-[0.55em] translate-y-[0.15em] animate-breathe bg-ember" />
            </p>
          </nav>
        </div>
      </div>
    </header>
  );
}

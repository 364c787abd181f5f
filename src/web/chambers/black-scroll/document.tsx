// The black scroll for visitors: a document that is read without a script. Where there is one, it replaces each island by
// what it shows already, alive (islands.tsx).
import type { ReactNode } from 'react';
import { whisperAudio } from '../../../shared/nouns/whisper-audio.ts';
import { type Services, ServicesProvider } from '../../api/services.tsx';
import { TranscriptionCard } from '../../speech/transcription-card.tsx';
import { WhisperButton } from '../../speech/whisper-button.tsx';
import { type NavLink, PublicNav } from '../../ui/nav.tsx';
import { Shell } from '../../ui/page.tsx';
import { GatheringPlace } from './gathering-line.tsx';
import { BlackScroll } from './scroll.tsx';
import { Verify } from './verify.tsx';

export const islandNames = ['whisper', 'verify', 'transcription'] as const;
export type IslandName = (typeof islandNames)[number];

const still = { isPlaying: false, toggle() {} };

const links: NavLink[] = [{ label: 'The thirteen', href: '/thirteen-holders' }];

/** @param services of which nothing is asked: what is rendered ahead of time waits for answers */
export function BlackScrollDocument({ services }: { services: Services }) {
  return (
    <ServicesProvider services={services}>
      <Shell nav={<PublicNav links={links} />} after={<Foot />}>
        <BlackScroll
          gathering={<GatheringPlace />}
          whisper={
            <>
              <Island name="whisper">
                <WhisperButton whisper={still} />
              </Island>
              <noscript>
                {/* biome-ignore lint/a11y/useMediaCaption: nobody has written down what an administrator puts here */}
                <audio controls preload="none" src={whisperAudio.current.path} aria-label="The whisper" />
              </noscript>
            </>
          }
          verify={
            <Island name="verify">
              <Verify />
            </Island>
          }
          transcription={
            <>
              <Island name="transcription">
                <TranscriptionCard />
              </Island>
              <noscript>
                <p className="text-dust">This needs JavaScript.</p>
              </noscript>
            </>
          }
        />
      </Shell>
    </ServicesProvider>
  );
}

function Island({ name, children }: { name: IslandName; children: ReactNode }) {
  return (
    <div data-island={name} className="noscript:hidden">
      {children}
    </div>
  );
}

function Foot() {
  return (
    <footer className="border-t border-line/70">
      <div className="wrap flex flex-wrap items-baseline justify-between gap-x-16 gap-y-4 py-10">
        <p className="text-small text-shade">
          This page comes from this server alone. Its script plays the whisper, checks the signature and
          transcribes recordings when you ask for it.
        </p>
        <a className="caps py-1 text-dust underline-offset-8 hover:text-bone hover:underline" href="/">
          Start page
        </a>
      </div>
    </footer>
  );
}

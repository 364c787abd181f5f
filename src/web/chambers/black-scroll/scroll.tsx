// The whole of the black scroll, for visitors and members alike. Everything on it is read without a script; what needs one
// is handed in.
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { hiddenLine, sections } from '../../../shared/black-scroll.ts';
import type { ScreenPath } from '../../../shared/screens.ts';
import { Head } from './head.tsx';
import { Part } from './part.tsx';
import { Section } from './scroll-section.tsx';
import { Seal } from './seal.tsx';

interface BlackScrollProps {
  /** Whether it is shown within the app, where a link loads no document. */
  inApp?: boolean;
  whisper: ReactNode;
  verify: ReactNode;
  transcription: ReactNode;
  /** What this server knows of the thirteen; no part of what is signed. */
  gathering: ReactNode;
  /** What the administrator alone sees. */
  administration?: ReactNode;
}

export function BlackScroll({
  inApp = false,
  whisper,
  verify,
  transcription,
  gathering,
  administration,
}: BlackScrollProps) {
  return (
    <article className="pb-16">
      <Head whisper={whisper} />
      <div className="wrap mt-10 sm:mt-16">
        {sections.map((section) => (
          <Section key={section.numeral} section={section} />
        ))}
        {gathering}
        <HiddenLine inApp={inApp} />
        <Seal verify={verify} />
        <Part
          id="transcription"
          title="A voice, written down"
          says="Select a recording, and its words come back as text. Nothing is sent before you press Transcribe."
        >
          {transcription}
        </Part>
        {administration}
      </div>
    </article>
  );
}

const DECODER: ScreenPath = '/test-verification';

/**
 * Dark letters before a weak light: nearly hidden from the eye, and from nobody who listens. Selecting them shows them, and so
 * does reaching the link among them, which leads on in the puzzle.
 */
function HiddenLine({ inApp }: { inApp: boolean }) {
  const way = {
    href: DECODER,
    className:
      'underline decoration-ember/20 underline-offset-6 transition-colors hover:text-dust focus:text-dust',
  };
  return (
    <p className="before-a-lamp border-t border-line/70 py-7 text-center font-machine text-tiny">
      {hiddenLine.before}
      {inApp ? <Link {...way}>{hiddenLine.link}</Link> : <a {...way}>{hiddenLine.link}</a>}
      {hiddenLine.after}
    </p>
  );
}

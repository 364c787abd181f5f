// The whole of the black scroll, for visitors and members alike. Everything on it is read without a script; what needs one
// is handed in.
import type { ReactNode } from 'react';
import { hiddenLine, sections } from '../../../shared/black-scroll.ts';
import { Head } from './head.tsx';
import { Part } from './part.tsx';
import { Section } from './scroll-section.tsx';
import { Seal } from './seal.tsx';

interface BlackScrollProps {
  whisper: ReactNode;
  verify: ReactNode;
  transcription: ReactNode;
  /** What the administrator alone sees. */
  administration?: ReactNode;
}

export function BlackScroll({ whisper, verify, transcription, administration }: BlackScrollProps) {
  return (
    <article className="pb-16">
      <Head whisper={whisper} />
      <div className="wrap mt-10 sm:mt-16">
        {sections.map((section) => (
          <Section key={section.numeral} section={section} />
        ))}
        <HiddenLine />
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

/** Dark letters before a weak light: nearly hidden from the eye, and from nobody who listens. Selecting them shows them. */
function HiddenLine() {
  return (
    <p className="before-a-lamp border-t border-line/70 py-7 text-center font-machine text-tiny">
      {hiddenLine}
    </p>
  );
}

// Speech becomes text. Who hears a recording is said before it can be sent.
import { type ReactNode, useId } from 'react';
import type { EngineInfo } from '../../shared/nouns/transcription.ts';
import { formatDuration, SECOND } from '../../shared/time.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Problem } from '../ui/problem.tsx';
import { ProgressBar } from '../ui/progress-bar.tsx';
import { inMegabytes, inMinutes } from './audio-file.ts';
import { AudioPick } from './audio-pick.tsx';
import { type Transcribing, useTranscription } from './use-transcription.ts';

/** In one sentence, who hears a recording. */
export function hearerWords(engine: EngineInfo): string {
  if (engine.engine === 'none')
    return 'Recordings cannot be transcribed on this server: no transcription is configured.';
  const hearer =
    engine.engine === 'remote' ? `a service that this server sends it to: ${engine.hearer}` : engine.hearer;
  return `Your recording is heard in the clear by ${hearer}. This server keeps neither it nor the text.`;
}

export function TranscriptionCard() {
  const work = useTranscription();
  const { engine, file, busy } = work;
  const canHear = engine !== undefined && engine.engine !== 'none';
  return (
    <div className="grid gap-6 border border-line bg-ink-1 p-6 sm:p-9">
      <Hearer work={work} />
      <AudioPick label="Select File" file={file} onPick={work.pick} disabled={busy || !canHear} />
      <div className="flex flex-wrap gap-4">
        <Button
          size="small"
          tone="primary"
          disabled={!file || !canHear}
          busy={busy}
          busyLabel="Transcribing"
          onClick={() => void work.transcribe()}
        >
          Transcribe
        </Button>
        {busy ? (
          <Button size="small" onClick={work.cancel}>
            Cancel
          </Button>
        ) : (
          <Button size="small" disabled={!file && work.text === null} onClick={work.clear}>
            Clear
          </Button>
        )}
      </div>
      {busy && <ProgressBar label="The recording is being transcribed" valueText={inMinutes(work.elapsed)} />}
      <Problem>{work.problem}</Problem>
      {work.text !== null && <TranscriptBox text={work.text} isRough={work.isRough} />}
    </div>
  );
}

function Hearer({ work: { engine, engineProblem } }: { work: Transcribing }) {
  let says: ReactNode = 'Who receives a recording is shown here before you can send one.';
  if (engineProblem !== null) says = <>Who receives recordings could not be found out. {engineProblem}</>;
  if (engine) says = hearerWords(engine);
  return (
    <div className="grid gap-2">
      <p className="text-dust">{says}</p>
      {engine && engine.engine !== 'none' && (
        <p className="text-small text-shade">
          At most {inMegabytes(engine.maxBytes)} and {formatDuration(engine.maxSeconds * SECOND, 'second')}
          {engine.rough && '. What comes back is a rough transcript (English)'}.
        </p>
      )}
    </div>
  );
}

function TranscriptBox({ text, isRough }: { text: string; isRough: boolean }) {
  const id = useId();
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
        <h3 id={id} className="label text-dust">
          {isRough ? 'Rough transcript (English)' : 'Transcript'}
        </h3>
        {text !== '' && <CopyButton value={text} tone="caps" />}
      </div>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it
        tabIndex={0}
        aria-labelledby={id}
        className="max-h-64 overflow-y-auto border border-line bg-ink-0 px-5 py-4 font-machine text-small/[1.7] whitespace-pre-line wrap-anywhere"
      >
        {text === '' ? <span className="text-shade">No words were heard.</span> : text}
      </section>
    </div>
  );
}

// The two that hear samples: pocketsphinx as a program of this machine, and a service that speaks OpenAI's wire format, by
// plain fetch. Neither repeats what it was given anywhere but in its answer.
import { TRANSCRIPT_MAX } from '../../shared/nouns/transcription.ts';
import type { Config } from '../config.ts';
import { INPUT, runLimited } from './limited-program.ts';
import { SAMPLE_BYTES_PER_SECOND, SAMPLE_RATE } from './speech-decoding.ts';

/** @returns what is said in the samples, in lines; empty for silence; null where it fails */
export type Listener = (samples: Buffer, signal: AbortSignal) => Promise<string | null>;

/** The most that is read of an answer, in bytes: a text of the largest size, and what stands around it. */
const ANSWER_MAX = 1024 * 1024;

/**
 * Debian's pocketsphinx.
 * @param isVersion5 whether the program is the command of version 5, which answers a line of JSON for each utterance
 */
export function pocketsphinxListener(program: string, isVersion5: boolean): Listener {
  const args = isVersion5 ? ['-loglevel', 'FATAL', 'live', '-'] : ['-infile', INPUT, '-logfn', '/dev/null'];
  return async (samples, signal) => {
    const said = await runLimited(program, args, samples, { most: ANSWER_MAX, signal });
    if (!said) return null;
    const lines = said.toString('utf8').split('\n');
    return asLines(isVersion5 ? lines.map(utteranceOf) : lines);
  };
}

/** The text of a line of JSON (pocketsphinx(1): "t" is the full text). */
function utteranceOf(line: string): string {
  try {
    const { t } = JSON.parse(line) as { t?: unknown };
    return typeof t === 'string' ? t : '';
  } catch {
    return '';
  }
}

const asLines = (lines: string[]) =>
  lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')
    .slice(0, TRANSCRIPT_MAX);

/** `POST {base}/audio/transcriptions` with `file` and `model`, which answers `{"text": …}`. */
export function openAiListener({ url, model, apiKey }: NonNullable<Config['stt']>): Listener {
  const place = `${url.href.replace(/\/$/, '')}/audio/transcriptions`;
  return async (samples, signal) => {
    const form = new FormData();
    // Decoded samples alone: what a telephone writes into a recording, such as a place, is not sent on.
    form.append('file', new Blob([waveHeader(samples.length), new Uint8Array(samples)]), 'recording.wav');
    form.append('model', model);
    form.append('response_format', 'json');
    const answer = await fetch(place, {
      method: 'POST',
      headers: { accept: 'application/json', ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}) },
      body: form,
      // The recording and the secret go to the place that was configured and to no other.
      redirect: 'manual',
      signal,
    });
    if (answer.status !== 200) {
      await answer.body?.cancel();
      return null;
    }
    return textOf(await readAtMost(answer, ANSWER_MAX));
  };
}

function textOf(answer: string | null): string | null {
  if (answer === null) return null;
  try {
    const { text } = JSON.parse(answer) as { text?: unknown };
    return typeof text === 'string' ? text.trim().slice(0, TRANSCRIPT_MAX).toWellFormed() : null;
  } catch {
    return null;
  }
}

async function readAtMost(answer: Response, most: number): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body ?? []) {
    size += chunk.length;
    if (size > most) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size).toString('utf8');
}

/** The head of a WAV file of 16-bit samples on one channel (RIFF, "Multimedia Programming Interface", 1991). */
function waveHeader(bytes: number): Uint8Array<ArrayBuffer> {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(36 + bytes, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(SAMPLE_RATE, 24);
  head.writeUInt32LE(SAMPLE_BYTES_PER_SECOND, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(bytes, 40);
  return new Uint8Array(head);
}

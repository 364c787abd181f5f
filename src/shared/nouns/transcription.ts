// Speech becomes text. Who hears the recording is told before it is sent (`engine`), and nothing of it is kept.
import * as z from 'zod/mini';
import { call } from '../http/call.ts';
import { disclosed, disclosedAs, message } from '../http/field-classes.ts';

/** The largest recording, in bytes. */
export const RECORDING_MAX = 25 * 1024 * 1024;
/** The longest text that is answered, in characters. */
export const TRANSCRIPT_MAX = 100_000;

/** `none`: nobody hears recordings here. `embedded`: a program of this server. `remote`: a service that `hearer` names. */
export const speechEngines = ['none', 'embedded', 'remote'] as const;
export type SpeechEngine = (typeof speechEngines)[number];

const HEARER = 'this server or the service that it names beforehand';
const rough = message('whether a transcript is only a rough one, in English', z.boolean());

const engineSchema = z.object({
  engine: message('what turns speech into text here', z.enum(speechEngines)),
  /** Words such as “this server, by pocketsphinx”, or a host; empty where nobody hears recordings. */
  hearer: message('who hears a recording', z.string().check(z.maxLength(300))),
  rough,
  maxBytes: message('how large a recording may be', z.int().check(z.minimum(0))),
  maxSeconds: message('how long a recording may be, in seconds', z.int().check(z.minimum(0))),
});
export type EngineInfo = z.output<typeof engineSchema>;

const transcriptSchema = z.object({
  text: disclosed('what is said in a recording', HEARER, z.string().check(z.maxLength(TRANSCRIPT_MAX))),
  engine: message('what turned speech into text', z.enum(['embedded', 'remote'])),
  rough: z.optional(rough),
});
export type Transcript = z.output<typeof transcriptSchema>;

export const transcription = {
  engine: call({
    method: 'GET',
    path: '/api/whisper/engine',
    access: 'anyone',
    reply: engineSchema,
  }),
  /** One at a time for each address. Closing the connection ends the work. */
  transcribe: call({
    method: 'POST',
    path: '/api/whisper/transcribe',
    access: 'anyone',
    upload: {
      field: 'audio',
      maxBytes: RECORDING_MAX,
      ...disclosedAs('a recording', HEARER),
    },
    reply: transcriptSchema,
  }),
};

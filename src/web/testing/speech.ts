// What lies between the speech of a page and its server: answers in place of engines, sound that nobody hears, and uploads
// that can be watched.
import { vi } from 'vitest';
import type { EngineInfo } from '../../shared/nouns/transcription.ts';
import type { Network } from './network.ts';

export const ENGINE: EngineInfo = {
  engine: 'embedded',
  hearer: 'this server, by pocketsphinx',
  rough: true,
  maxBytes: 1024 * 1024,
  maxSeconds: 120,
};

export interface SpeechAnswers {
  engine: EngineInfo;
  /** Answers a recording. */
  hear: (form: FormData) => Response | Promise<Response>;
  /** The field and bytes of every recording so far. */
  heard: string[];
}

/** Answers the calls of speech in place of the server. */
export function answerSpeech(network: Network, engine: EngineInfo = ENGINE): SpeechAnswers {
  const answers: SpeechAnswers = {
    engine,
    hear: () => Response.json({ text: 'she wrote a letter', engine: 'embedded', rough: true }),
    heard: [],
  };
  network.intercept(async (request, forward) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/api/whisper/engine') return Response.json(answers.engine);
    if (pathname !== '/api/whisper/transcribe') return forward();
    const form = await request.formData();
    for (const [field, file] of form) answers.heard.push(`${field}: ${await (file as File).text()}`);
    return answers.hear(form);
  });
  return answers;
}

export interface Sound {
  /** Each time something began to play: its address and rate. */
  played: { src: string; rate: number }[];
  /** The element that played last. */
  element(): HTMLAudioElement;
  /** Whether the next attempts to play fail. */
  fails: boolean;
  /** Whether the next attempts to play wait, as for a slow network, until something ends them. */
  waits: boolean;
}

/** Catches what is played from now until the test ends; nothing is heard. */
export function watchSound(): Sound {
  let last: HTMLAudioElement | null = null;
  let interrupt = () => {};
  const sound: Sound = {
    played: [],
    fails: false,
    waits: false,
    element() {
      if (!last) throw new Error('nothing was played');
      return last;
    },
  };
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockImplementation(async function (this: HTMLMediaElement) {
    last = this as HTMLAudioElement;
    interrupt();
    const { pathname, search } = new URL(this.src, window.location.href);
    sound.played.push({ src: pathname + search, rate: this.playbackRate });
    if (sound.fails) throw new DOMException('', 'NotSupportedError');
    if (!sound.waits) return;
    await new Promise((_, reject) => {
      interrupt = () => reject(new DOMException('', 'AbortError'));
    });
  });
  vi.spyOn(HTMLMediaElement.prototype, 'pause').mockImplementation(() => interrupt());
  return sound;
}

/** One upload by XMLHttpRequest, as a test sees it. */
export interface SentFile {
  method: string;
  path: string;
  headers: Record<string, string>;
  form: FormData;
  isAborted: boolean;
  /** Says that this part of it has gone. */
  progress(loaded: number, total: number): void;
  answer(status: number, body: unknown): void;
  /** The line is cut. */
  fail(): void;
}

/** Catches uploads in place of the browser's XMLHttpRequest until the test ends. */
export function watchUploads(): SentFile[] {
  const sent: SentFile[] = [];
  class Request {
    upload = { onprogress: (_: { loaded: number; total: number }) => {} };
    onload = () => {};
    onerror = () => {};
    onabort = () => {};
    status = 0;
    statusText = '';
    responseText = '';
    private file: Partial<SentFile> = { headers: {} };
    open(method: string, path: string) {
      Object.assign(this.file, { method, path });
    }
    setRequestHeader(name: string, value: string) {
      Object.assign(this.file.headers ?? {}, { [name]: value });
    }
    abort() {
      this.file.isAborted = true;
      this.onabort();
    }
    send(form: FormData) {
      Object.assign(this.file, {
        form,
        isAborted: false,
        progress: (loaded: number, total: number) => this.upload.onprogress({ loaded, total }),
        fail: () => this.onerror(),
        answer: (status: number, body: unknown) => {
          this.status = status;
          this.responseText = JSON.stringify(body);
          this.onload();
        },
      });
      sent.push(this.file as SentFile);
    }
  }
  vi.stubGlobal('XMLHttpRequest', Request);
  return sent;
}

export const recording = (content = 'sound', type = 'audio/mpeg', name = 'a voice.mp3') =>
  new File([content], name, { type });

/** The hidden field behind a button that picks a file. */
export function filePick(place: ParentNode = document): HTMLInputElement {
  const field = place.querySelector<HTMLInputElement>('input[type="file"]');
  if (!field) throw new Error('no file can be picked here');
  return field;
}

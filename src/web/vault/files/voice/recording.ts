// A voice as it is recorded: files of fifteen minutes, each a whole recording, which are handed over as they become full. What is being
// recorded is held in memory until then.

/** The longest file of a recording, in seconds. */
export const PART_SECONDS = 15 * 60;
/** How often a browser gives out what it has recorded, in milliseconds: as much is lost at most where a form is left. */
const GIVEN_EVERY = 1000;

/** What browsers record, the first that one can: Chromium and Firefox the first, Safari the second. */
const TYPES = ['audio/webm;codecs=opus', 'audio/mp4', 'audio/ogg;codecs=opus'];
const ENDINGS: Record<string, string> = { 'audio/webm': 'webm', 'audio/mp4': 'm4a', 'audio/ogg': 'ogg' };

/** One file of a recording. */
export interface RecordedPart {
  blob: Blob;
  seconds: number;
  /** From 1 on. */
  number: number;
}

interface RecordingOptions {
  /** Milliseconds of a clock that only goes forward. */
  now: () => number;
  onPart: (part: RecordedPart) => void;
  /** It has ended by itself: the microphone is gone, or was taken from the page. All of it was handed over. */
  onGone: () => void;
  /** Tests alone have another one. */
  Recorder?: typeof MediaRecorder;
}

/** The type in which this browser records; empty where it chooses itself. */
const chosenType = (Recorder: typeof MediaRecorder): string =>
  TYPES.find((type) => Recorder.isTypeSupported(type)) ?? '';

/** What a file of a recording is called. @param begun when it began, in words @param type its media type */
export function recordingName(begun: string, number: number, type: string): string {
  const [bare = ''] = type.split(';');
  const ending = ENDINGS[bare] ?? 'audio';
  return `Recording, ${begun}${number === 1 ? '' : `, part ${number}`}.${ending}`;
}

/** One file while it is recorded. */
class Part {
  readonly recorder: MediaRecorder;
  readonly number: number;
  private readonly chunks: Blob[] = [];
  private isHanded = false;

  constructor(recorder: MediaRecorder, number: number) {
    this.recorder = recorder;
    this.number = number;
    recorder.addEventListener('dataavailable', ({ data }) => {
      if (data.size > 0) this.chunks.push(data);
    });
  }

  /** What has come of it so far, once; null where that is nothing, or was taken before. */
  take(seconds: number): RecordedPart | null {
    if (this.isHanded) return null;
    this.isHanded = true;
    const { mimeType } = this.recorder;
    const blob = new Blob(this.chunks, { type: mimeType.split(';')[0] ?? '' });
    return blob.size === 0 ? null : { blob, seconds, number: this.number };
  }
}

export class Recording {
  private readonly stream: MediaStream;
  private readonly options: RecordingOptions;
  private part: Part | null = null;
  private count = 0;
  /** How long the files before took, and this one until it was paused last, in milliseconds. */
  private before = 0;
  private current = 0;
  private since: number | null = null;

  constructor(stream: MediaStream, options: RecordingOptions) {
    this.stream = stream;
    this.options = options;
    this.begin();
  }

  /** How long all of it is, in seconds. */
  get seconds(): number {
    return (this.before + this.ofPart()) / 1000;
  }

  /** How long the file that is recorded now is, in milliseconds. */
  private ofPart(): number {
    return this.current + (this.since === null ? 0 : this.options.now() - this.since);
  }

  private begin(): void {
    const { Recorder = MediaRecorder, onGone } = this.options;
    const mimeType = chosenType(Recorder);
    const recorder = new Recorder(this.stream, mimeType ? { mimeType } : {});
    this.count += 1;
    const part = new Part(recorder, this.count);
    recorder.addEventListener('stop', () => {
      if (this.part !== part) return;
      this.handOver();
      onGone();
    });
    recorder.start(GIVEN_EVERY);
    this.part = part;
    this.current = 0;
    this.since = this.options.now();
  }

  pause(): void {
    if (this.since === null) return;
    this.current = this.ofPart();
    this.since = null;
    this.part?.recorder.pause();
  }

  resume(): void {
    if (this.since !== null || !this.part) return;
    this.since = this.options.now();
    this.part.recorder.resume();
  }

  /** To be called a few times a second: begins the next file where one is full. The next begins before the last ends. */
  look(): void {
    if (!this.part || this.ofPart() < PART_SECONDS * 1000) return;
    const full = this.part;
    const length = this.ofPart();
    this.before += length;
    this.begin();
    void this.ended(full, length);
  }

  /** Ends it. @returns once all of it was handed over */
  async stop(): Promise<void> {
    const { part } = this;
    if (!part) return;
    const length = this.ofPart();
    this.end(length);
    await this.ended(part, length);
  }

  /** Ends it at once, with what has come by now: the form is left, and nothing that comes later would be heard. */
  handOver(): void {
    const { part } = this;
    if (!part) return;
    const length = this.ofPart();
    this.end(length);
    this.give(part, length);
    if (part.recorder.state !== 'inactive') part.recorder.stop();
  }

  private end(length: number): void {
    this.part = null;
    this.before += length;
    this.current = 0;
    this.since = null;
  }

  /** The last of a file comes once its recorder has stopped. */
  private ended(part: Part, length: number): Promise<void> {
    return new Promise((resolve) => {
      const finish = () => {
        this.give(part, length);
        resolve();
      };
      part.recorder.addEventListener('stop', finish, { once: true });
      if (part.recorder.state === 'inactive') finish();
      else part.recorder.stop();
    });
  }

  private give(part: Part, length: number): void {
    const taken = part.take(Math.round(length / 100) / 10);
    if (taken) this.options.onPart(taken);
  }
}

// A recording with a recorder that is moved by hand, and a clock that is moved by hand.
import { afterEach, expect, test, vi } from 'vitest';
import { HEARD, levelOf, openMicrophone, whyNone } from './microphone.ts';
import { PART_SECONDS, type RecordedPart, Recording, recordingName } from './recording.ts';

afterEach(() => vi.unstubAllGlobals());

/** A recorder that gives out what it is told to. */
class HandRecorder extends EventTarget {
  static readonly all: HandRecorder[] = [];
  static isTypeSupported = (type: string) => type === 'audio/mp4';
  state: RecordingState = 'inactive';
  readonly mimeType: string;
  constructor(_: MediaStream, { mimeType = '' }: MediaRecorderOptions) {
    super();
    this.mimeType = mimeType;
    HandRecorder.all.push(this);
  }
  start() {
    this.state = 'recording';
  }
  pause() {
    this.state = 'paused';
  }
  resume() {
    this.state = 'recording';
  }
  give(text: string) {
    this.dispatchEvent(Object.assign(new Event('dataavailable'), { data: new Blob([text]) }));
  }
  /** Told to stop, it gives its last a moment later. */
  stop() {
    this.state = 'inactive';
    queueMicrotask(() => {
      this.give('last');
      this.dispatchEvent(new Event('stop'));
    });
  }
}

function begin() {
  let time = 1000;
  let gone = 0;
  const parts: RecordedPart[] = [];
  HandRecorder.all.length = 0;
  const recording = new Recording({} as MediaStream, {
    now: () => time,
    onPart: (part) => parts.push(part),
    onGone: () => {
      gone += 1;
    },
    Recorder: HandRecorder as unknown as typeof MediaRecorder,
  });
  return {
    recording,
    parts,
    pass: (seconds: number) => {
      time += seconds * 1000;
    },
    recorder: (at = 0) => HandRecorder.all[at] ?? expect.fail('no recorder'),
    gone: () => gone,
    texts: () => Promise.all(parts.map(({ blob }) => blob.text())),
  };
}

test('a recording that is stopped has all of it, also what comes last, without its pauses', async () => {
  const { recording, parts, pass, recorder, texts } = begin();
  pass(2);
  recorder().give('one ');
  recording.pause();
  pass(60);
  recording.resume();
  pass(1.5);
  await recording.stop();
  await recording.stop();
  expect(await texts()).toEqual(['one last']);
  expect(parts).toMatchObject([{ seconds: 3.5, number: 1 }]);
  expect(parts[0]?.blob.type).toBe('audio/mp4');
  expect(recording.seconds).toBe(3.5);
});

test('after fifteen minutes the next file begins before the last one ends', async () => {
  const { recording, parts, pass, recorder, texts } = begin();
  recorder().give('a');
  pass(PART_SECONDS - 1);
  recording.look();
  expect(HandRecorder.all).toHaveLength(1);
  pass(1);
  recording.look();
  expect(recorder(1).state).toBe('recording');
  recorder(1).give('b');
  pass(10);
  await recording.stop();
  expect(await texts()).toEqual(['alast', 'blast']);
  expect(parts.map(({ seconds, number }) => [number, seconds])).toEqual([
    [1, PART_SECONDS],
    [2, 10],
  ]);
  expect(recording.seconds).toBe(PART_SECONDS + 10);
});

test('a form that is left keeps what has come, at once and once', async () => {
  const { recording, recorder, texts, gone } = begin();
  recorder().give('kept');
  recording.handOver();
  expect(await texts()).toEqual(['kept']);
  await Promise.resolve();
  expect(await texts()).toEqual(['kept']);
  expect(recorder().state).toBe('inactive');
  expect(gone()).toBe(0);
});

test('a microphone that is pulled out ends it, and what was recorded is kept', async () => {
  const { recording, recorder, texts, gone } = begin();
  recorder().give('kept ');
  recorder().stop();
  await Promise.resolve();
  expect(await texts()).toEqual(['kept last']);
  expect(gone()).toBe(1);
  await recording.stop();
  expect(await texts()).toHaveLength(1);
});

test('nothing becomes no file', () => {
  const { recording, parts } = begin();
  recording.handOver();
  expect(parts).toEqual([]);
});

test('a file is named by when it began, which part it is, and its type', () => {
  expect(recordingName('28 November 2026, 14.30', 1, 'audio/webm')).toBe(
    'Recording, 28 November 2026, 14.30.webm',
  );
  expect(recordingName('28 November 2026, 14.30', 2, 'audio/mp4;codecs=mp4a')).toBe(
    'Recording, 28 November 2026, 14.30, part 2.m4a',
  );
});

test('silence is not heard, and a voice is', () => {
  const voice = Uint8Array.from({ length: 1024 }, (_, at) => 128 + 20 * Math.sin(at / 5));
  expect(levelOf(new Uint8Array(1024).fill(128))).toBe(0);
  expect(levelOf(voice)).toBeGreaterThan(HEARD);
  expect(levelOf(new Uint8Array(1024).fill(255))).toBe(1);
});

test('a microphone is let go where its loudness cannot be listened to', async () => {
  const stop = vi.fn();
  const stream = { getTracks: () => [{ stop }, { stop }] };
  vi.stubGlobal('navigator', { mediaDevices: { getUserMedia: async () => stream } });
  vi.stubGlobal(
    'AudioContext',
    class {
      constructor() {
        throw new DOMException('no more of them', 'NotSupportedError');
      }
    },
  );
  await expect(openMicrophone()).rejects.toThrow('no more of them');
  expect(stop).toHaveBeenCalledTimes(2);
});

test('a refusal is told from a microphone that is not there', () => {
  expect(whyNone(new DOMException('', 'NotAllowedError'))).toBe('refused');
  expect(whyNone(new DOMException('', 'NotFoundError'))).toBe('absent');
});

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HANGS, isAlive, untilRunning } from '../../testing/hanging-program.ts';
import {
  leftovers,
  OLD_HOUSE,
  type Programs,
  recordingOf,
  SILENT_FFMPEG,
  standInPrograms,
  wordErrorRate,
} from '../../testing/speech.ts';
import { openSpeechService, type SpeechMood, type SpeechService } from '../../testing/speech-service.ts';
import { connectionLimits } from '../http/connections.ts';
import { PROCESSOR_SECONDS } from './limited-program.ts';
import { ANSWERS_WITHIN, createSpeech, findProgram, type Speech, type SpeechLimits } from './speech.ts';
import { decode, SAMPLE_BYTES_PER_SECOND } from './speech-decoding.ts';

const never = () => new AbortController().signal;
const limits = (over: Partial<SpeechLimits> = {}): SpeechLimits => ({
  atOnce: 2,
  patience: never,
  deadline: never,
  ...over,
});
const recording = recordingOf(OLD_HOUSE.bytes);

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});
function programs(scripts: Record<string, string>): Programs {
  const made = standInPrograms(scripts);
  cleanups.push(made.remove);
  return made;
}
function created(speech: Speech | null): Speech {
  if (!speech) throw new Error('There is no engine.');
  return speech;
}

const searchPath = process.env.PATH ?? '';
const ffmpeg = findProgram(searchPath, 'ffmpeg') ?? '';

describe('who hears recordings', () => {
  const service = { url: new URL('https://stt.example.org:8443/v1'), model: 'm', apiKey: null };

  it('is nobody where the programs are not there', () => {
    expect(createSpeech({ stt: null, searchPath: '' })).toBeNull();
    expect(createSpeech({ stt: null, searchPath: programs({ ffmpeg: '' }).searchPath })).toBeNull();
    expect(createSpeech({ stt: null, searchPath: programs({ pocketsphinx: '' }).searchPath })).toBeNull();
    // Without ffmpeg nobody could say how long a recording is.
    expect(createSpeech({ stt: service, searchPath: programs({ pocketsphinx: '' }).searchPath })).toBeNull();
  });

  it.each(['pocketsphinx', 'pocketsphinx_continuous'])('is this server, by %s', (name) => {
    const { searchPath } = programs({ ffmpeg: '', [name]: '' });
    expect(createSpeech({ stt: null, searchPath })).toMatchObject({
      engine: 'embedded',
      hearer: 'this server, by pocketsphinx',
      rough: true,
    });
  });

  it('is the service that was configured, whatever else is there', () => {
    const { searchPath } = programs({ ffmpeg: '', pocketsphinx: '' });
    expect(createSpeech({ stt: service, searchPath })).toMatchObject({
      engine: 'remote',
      hearer: 'stt.example.org:8443',
      rough: false,
    });
  });
});

describe('the embedded engine', () => {
  const speechOf = (scripts: Record<string, string>, over: Partial<SpeechLimits> = {}) => {
    const made = programs(scripts);
    return {
      ...made,
      speech: created(createSpeech({ stt: null, searchPath: made.searchPath }, limits(over))),
    };
  };

  it('answers what pocketsphinx says, in lines', async () => {
    const { speech } = speechOf({
      ffmpeg: SILENT_FFMPEG,
      pocketsphinx_continuous: `printf '%s\\n' ' she wrote ' '' 'a letter'`,
    });
    expect(await speech.hear(recording, never())).toEqual({ text: 'she wrote\na letter' });
  });

  it('reads the lines of JSON of version 5', async () => {
    const { speech } = speechOf({
      ffmpeg: SILENT_FFMPEG,
      pocketsphinx: `printf '%s\\n' '{"b":0.0,"d":1.7,"p":0.9,"t":"she wrote","w":[]}' 'nonsense' '{"t":7}' '{"t":"a letter"}'`,
    });
    expect(await speech.hear(recording, never())).toEqual({ text: 'she wrote\na letter' });
  });

  it('gives pocketsphinx the samples, from the beginning', async () => {
    for (const name of ['pocketsphinx', 'pocketsphinx_continuous']) {
      const count = name === 'pocketsphinx' ? 'wc -c' : 'wc -c < /dev/fd/0';
      const said = name === 'pocketsphinx' ? `printf '{"t":"%s"}' $(${count})` : count;
      const { speech } = speechOf({ ffmpeg: SILENT_FFMPEG, [name]: said });
      expect(await speech.hear(recording, never())).toEqual({ text: '32000' });
    }
  });

  it('hears silence as nothing', async () => {
    const { speech } = speechOf({ ffmpeg: SILENT_FFMPEG, pocketsphinx: 'true' });
    expect(await speech.hear(recording, never())).toEqual({ text: '' });
  });

  it.each([
    ['unreadable', 'exit 1', 'true'],
    ['unreadable', 'true', 'true'],
    ['unreadable', 'kill -9 $$', 'true'],
    ['too-long', 'head -c 3872000 /dev/zero', 'true'],
    ['unreadable', 'cat /dev/zero', 'true'],
    ['failed', SILENT_FFMPEG, 'exit 1'],
    ['failed', SILENT_FFMPEG, 'kill -9 $$'],
    ['failed', SILENT_FFMPEG, 'cat /dev/zero'],
  ])('answers %s where ffmpeg does "%s" and pocketsphinx "%s"', async (answer, decoding, hearing) => {
    const { speech } = speechOf({ ffmpeg: decoding, pocketsphinx: hearing });
    expect(await speech.hear(recording, never())).toBe(answer);
    expect(leftovers()).toEqual([]);
  });

  it('lets programs write no file, know nothing of this server, and stand anywhere but in its folder', async () => {
    const { speech } = speechOf({
      ffmpeg: SILENT_FFMPEG,
      pocketsphinx_continuous:
        '(echo words > "$(dirname "$0")/written"); cat "$(dirname "$0")/written"; env; pwd; ulimit -c',
    });
    process.env.LATEBRA_CANARY = 'canary-7f3a9c';
    const heard = await speech.hear(recording, never()).finally(() => delete process.env.LATEBRA_CANARY);
    const { text } = heard as { text: string };
    expect(text).not.toContain('words');
    expect(text).not.toContain('canary');
    expect(text.split('\n').slice(-2)).toEqual(['/', '0']);
  });

  it.each([
    ['decoding', HANGS, 'true'],
    ['hearing', SILENT_FFMPEG, HANGS],
  ])('ends %s when whoever asked has gone, and leaves nothing', async (_, decoding, hearing) => {
    const { speech, folder } = speechOf({ ffmpeg: decoding, pocketsphinx: hearing });
    const client = new AbortController();
    const heard = speech.hear(recording, client.signal);
    const pid = await untilRunning(folder);
    expect(isAlive(pid)).toBe(true);
    expect(leftovers()).toEqual([]);
    client.abort();
    expect(await heard).toBe('failed');
    expect(isAlive(pid)).toBe(false);
    expect(leftovers()).toEqual([]);
  });

  it('ends what takes too long', async () => {
    const over = new AbortController();
    const { speech, folder } = speechOf(
      { ffmpeg: SILENT_FFMPEG, pocketsphinx: HANGS },
      { deadline: () => over.signal },
    );
    const heard = speech.hear(recording, never());
    const pid = await untilRunning(folder);
    over.abort();
    expect(await heard).toBe('failed');
    expect(isAlive(pid)).toBe(false);
  });

  it('hears few at a time; the others wait, and leave when they give up', async () => {
    const { speech, folder } = speechOf({ ffmpeg: HANGS, pocketsphinx: 'true' }, { atOnce: 1 });
    const [first, second, third] = [new AbortController(), new AbortController(), new AbortController()];
    const one = speech.hear(recording, first.signal);
    const two = speech.hear(recording, second.signal);
    const three = speech.hear(recording, third.signal);
    const pid = await untilRunning(folder);
    second.abort();
    expect(await two).toBe('busy');
    rmSync(join(folder, `running-${pid}`), { recursive: true });
    first.abort();
    expect(await one).toBe('failed');
    // The third has its turn now.
    expect(await untilRunning(folder)).not.toBe(pid);
    third.abort();
    expect(await three).toBe('failed');
    expect(await speech.hear(recording, third.signal)).toBe('busy');
  });

  it('counts the time for the work from the turn on, and waits for a turn as long as patience lasts', async () => {
    const works: AbortController[] = [];
    const waits: AbortController[] = [];
    const begin = (all: AbortController[]) => () => {
      const one = new AbortController();
      all.push(one);
      return one.signal;
    };
    const { speech, folder } = speechOf(
      { ffmpeg: HANGS, pocketsphinx: 'true' },
      { atOnce: 1, patience: begin(waits), deadline: begin(works) },
    );
    const first = speech.hear(recording, never());
    const pid = await untilRunning(folder);
    const second = speech.hear(recording, never());
    const third = speech.hear(recording, never());
    expect(waits).toHaveLength(3);
    expect(works).toHaveLength(1);

    waits[1]?.abort();
    expect(await second).toBe('busy');
    // Patience is over with the turn, and what takes long is not ended by it.
    waits[0]?.abort();
    expect(isAlive(pid)).toBe(true);

    rmSync(join(folder, `running-${pid}`), { recursive: true });
    works[0]?.abort();
    expect(await first).toBe('failed');
    const next = await untilRunning(folder);
    expect(works).toHaveLength(2);
    waits[2]?.abort();
    expect(isAlive(next)).toBe(true);
    works[1]?.abort();
    expect(await third).toBe('failed');
  });

  it('gives a program so much processor time that two minutes can be heard at half of their speed', async () => {
    const { speech } = speechOf({ ffmpeg: SILENT_FFMPEG, pocketsphinx_continuous: 'ulimit -t' });
    expect(await speech.hear(recording, never())).toEqual({ text: String(PROCESSOR_SECONDS) });
    expect(PROCESSOR_SECONDS).toBeGreaterThanOrEqual(2 * speech.maxSeconds);
    // Longer than a connection stands idle, and shorter than browsers wait for an answer.
    expect(ANSWERS_WITHIN).toBeGreaterThan(PROCESSOR_SECONDS * 1000);
    expect(ANSWERS_WITHIN).toBeGreaterThan(connectionLimits.idle);
    expect(ANSWERS_WITHIN).toBeLessThan(300_000);
  });
});

describe('a service with OpenAI’s wire format', () => {
  let service: SpeechService;
  let decoder: Programs;
  beforeEach(async () => {
    service = await openSpeechService();
    decoder = standInPrograms({ ffmpeg: SILENT_FFMPEG });
  });
  afterEach(async () => {
    await service.close();
    decoder.remove();
  });
  const speech = (apiKey: string | null = 'sk-canary-key', deadline = never) =>
    created(
      createSpeech(
        {
          stt: { url: new URL(service.url), model: 'whisper-large-v3', apiKey },
          searchPath: decoder.searchPath,
        },
        limits({ deadline }),
      ),
    );

  it('is sent the sound alone, as WAV, with model and key', async () => {
    service.behave({ says: ' She wrote a letter. ' });
    expect(await speech().hear(recording, never())).toEqual({ text: 'She wrote a letter.' });
    const [heard] = service.heard;
    expect(heard).toMatchObject({
      path: '/v1/audio/transcriptions',
      authorization: 'Bearer sk-canary-key',
      model: 'whisper-large-v3',
      format: 'json',
      name: 'recording.wav',
    });
    expect(recordingOf(heard?.file ?? Buffer.alloc(0)).type.demuxer).toBe('wav');
    expect(heard?.file.length).toBe(44 + SAMPLE_BYTES_PER_SECOND);
    expect(heard?.file.readUInt32LE(40)).toBe(SAMPLE_BYTES_PER_SECOND);
  });

  it('is sent no key where there is none', async () => {
    await speech(null).hear(recording, never());
    expect(service.heard[0]?.authorization).toBeUndefined();
  });

  it.each<[string, SpeechMood]>([
    ['401', { status: 401, body: '{"error":{"message":"Incorrect API key: sk-canary-key"}}' }],
    ['403', { status: 403 }],
    ['429', { status: 429, headers: { 'retry-after': '1' } }],
    ['500', { status: 500, body: 'words' }],
    ['503', { status: 503 }],
    ['201 with a text', { status: 201, body: '{"text":"words"}' }],
    ['a redirect', { status: 307, headers: { location: 'http://127.0.0.1:1/elsewhere' } }],
    ['nothing', { status: 200, body: '' }],
    ['HTML', { status: 200, body: '<!doctype html>' }],
    ['JSON without a text', { status: 200, body: '{"words":"x"}' }],
    ['a text that is a number', { status: 200, body: '{"text":7}' }],
    ['null', { status: 200, body: 'null' }],
    ['an answer that never ends', 'never ends'],
    ['a broken connection', 'drops'],
  ])('fails by %s, and says no more', async (_, mood) => {
    service.behave(mood);
    expect(await speech().hear(recording, never())).toBe('failed');
    expect(service.heard).toHaveLength(1);
  });

  it('answers half of a character as no database chokes on it', async () => {
    service.behave({ status: 200, body: '{"text":"a\\ud800b"}' });
    expect(await speech().hear(recording, never())).toEqual({ text: 'a\ufffdb' });
  });

  it.each<SpeechMood>(['hangs', 'hangs in its answer'])('is given up in time when it %s', async (mood) => {
    service.behave(mood);
    const over = new AbortController();
    const heard = speech('k', () => over.signal).hear(recording, never());
    await service.hanging();
    over.abort();
    expect(await heard).toBe('failed');
  });

  it('is asked nothing for a recording that is too long or cannot be read', async () => {
    for (const [script, answer] of [
      ['exit 1', 'unreadable'],
      [`head -c ${301 * SAMPLE_BYTES_PER_SECOND} /dev/zero`, 'too-long'],
    ]) {
      writeFileSync(join(decoder.folder, 'ffmpeg'), `#!/bin/sh\n${script}\n`);
      expect(await speech().hear(recording, never())).toBe(answer);
    }
    expect(service.heard).toEqual([]);
  });
});

describe.skipIf(!ffmpeg)('decoding by ffmpeg', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'latebra-audio-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Makes a file of the sample, or of another input, by these arguments. */
  function made(
    name: string,
    args: string[],
    input = ['-f', 'mp3', '-i', join(folder, 'old-house.mp3')],
  ): Buffer {
    writeFileSync(join(folder, 'old-house.mp3'), OLD_HOUSE.bytes);
    const file = join(folder, name);
    execFileSync(ffmpeg, ['-v', 'error', '-y', ...input, ...args, file], { stdio: 'ignore' });
    return readFileSync(file);
  }
  const secondsOf = async (bytes: Buffer, most = 30) => {
    const samples = await decode(ffmpeg, recordingOf(bytes), most, never());
    return samples && samples.length / SAMPLE_BYTES_PER_SECOND;
  };

  it.each([
    ['a.mp3', ['-c:a', 'libmp3lame'], 'mp3'],
    ['tagged.mp3', ['-c:a', 'libmp3lame', '-id3v2_version', '4', '-metadata', 'title=Words'], 'mp3'],
    ['a.wav', [], 'wav'],
    ['a.flac', [], 'flac'],
    ['a.aac', [], 'aac'],
    // The index stands at the end, as telephones write it.
    ['a.m4a', ['-c:a', 'aac'], 'mov'],
    ['a.mp4', ['-c:a', 'aac', '-movflags', 'frag_keyframe+empty_moov'], 'mov'],
    ['a.ogg', ['-c:a', 'libopus'], 'ogg'],
    ['vorbis.ogg', ['-c:a', 'libvorbis'], 'ogg'],
    ['a.webm', ['-c:a', 'libopus'], 'matroska'],
    ['a.aiff', [], 'aiff'],
    ['a.caf', [], 'caf'],
    ['alac.m4a', ['-c:a', 'alac'], 'mov'],
    ['pcm.mov', ['-c:a', 'pcm_s16le', '-brand', 'qt  '], 'mov'],
    ['mp3.mp4', ['-c:a', 'libmp3lame'], 'mov'],
    ['float.wav', ['-c:a', 'pcm_f32le'], 'wav'],
    ['eight.wav', ['-c:a', 'pcm_u8'], 'wav'],
    ['alaw.wav', ['-c:a', 'pcm_alaw'], 'wav'],
    ['a24.aiff', ['-c:a', 'pcm_s24be'], 'aiff'],
    ['flac.ogg', ['-c:a', 'flac', '-f', 'ogg'], 'ogg'],
    ['speex.ogg', ['-c:a', 'libspeex', '-ar', '16000', '-f', 'ogg'], 'ogg'],
    ['vorbis.webm', ['-c:a', 'libvorbis'], 'matroska'],
    ['aac.mka', ['-c:a', 'aac'], 'matroska'],
  ])('reads %s made by %j', async (name, args, demuxer) => {
    const bytes = made(name, args);
    expect(recordingOf(bytes).type.demuxer).toBe(demuxer);
    const seconds = (await secondsOf(bytes)) ?? 0;
    expect(seconds).toBeGreaterThan(7);
    expect(seconds).toBeLessThan(9);
  });

  it.each([
    ['ms.wav', ['-c:a', 'adpcm_ms']],
    ['yamaha.wav', ['-c:a', 'adpcm_yamaha']],
    ['wma.wav', ['-c:a', 'wmav2']],
    ['ac3.mp4', ['-c:a', 'ac3', '-f', 'mp4']],
    ['ac3.mka', ['-c:a', 'ac3']],
    ['wma.mka', ['-c:a', 'wmav2']],
    ['qt.mov', ['-c:a', 'adpcm_ima_qt', '-brand', 'qt  ']],
    ['ima.aiff', ['-c:a', 'adpcm_ima_qt']],
    ['dca.mka', ['-c:a', 'dca', '-strict', '-2', '-ar', '48000', '-ac', '2']],
  ])('reads no %s, whose container is known and whose codec is not', async (name, args) => {
    const bytes = made(name, args);
    expect(await decode(ffmpeg, recordingOf(bytes), 30, never())).toBeNull();
  });

  it('tells ffmpeg which protocol, demuxer and decoders it may use, before it names the input', async () => {
    const { folder: place } = programs({ ffmpeg: `printf '%s\n' "$@"` });
    for (const demuxer of ['mp3', 'mov']) {
      const given = { bytes: Buffer.alloc(1), type: { contentType: '', demuxer } };
      const args = String(await decode(join(place, 'ffmpeg'), given, 5, never())).split('\n');
      const before = args.slice(0, args.indexOf('-i'));
      const optionOf = (option: string) => before[before.indexOf(option) + 1];
      expect(optionOf('-protocol_whitelist')).toBe('file');
      expect(optionOf('-format_whitelist')).toBe(demuxer);
      expect(optionOf('-f')).toBe(demuxer);
      expect(optionOf('-codec_whitelist')?.split(',')).toContain('opus');
      expect(optionOf('-codec_whitelist')).not.toMatch(/adpcm|wma|ac3|h264|png/);
    }
  });

  it('reads the sound of a film, and none of its pictures', async () => {
    const film = made(
      'film.mp4',
      ['-t', '2', '-c:a', 'aac', '-c:v', 'mpeg4', '-shortest'],
      [...['-f', 'lavfi', '-i', 'testsrc=size=64x64:rate=5', '-f', 'lavfi', '-i', 'sine=440']],
    );
    expect(await secondsOf(film)).toBeCloseTo(2, 0);
    const silentFilm = made(
      'silent.mp4',
      ['-t', '2', '-c:v', 'mpeg4'],
      [...['-f', 'lavfi', '-i', 'testsrc=size=64x64:rate=5']],
    );
    expect(await secondsOf(silentFilm)).toBeNull();
  });

  it('reads what is there of a file cut short, or nothing', async () => {
    expect(await secondsOf(OLD_HOUSE.bytes.subarray(0, 15_000))).toBeGreaterThan(2);
    const m4a = made('whole.m4a', ['-c:a', 'aac']);
    expect(await secondsOf(m4a.subarray(0, m4a.length / 2))).toBeNull();
    for (const length of [12, 13, 40, 100]) await secondsOf(m4a.subarray(0, length));
  });

  it('reads no more than it is told of an hour', async () => {
    const hour = made('hour.flac', ['-t', '3600'], ['-f', 'lavfi', '-i', 'anullsrc=r=8000:cl=mono']);
    expect(await secondsOf(hour, 121)).toBe(121);
    const { searchPath } = programs({ pocketsphinx: 'echo words' });
    const speech = createSpeech({ stt: null, searchPath: `${searchPath}:${process.env.PATH}` }, limits());
    expect(await speech?.hear(recordingOf(hour), never())).toBe('too-long');
  });

  it('follows no list of files, whatever it is taken for', async () => {
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    cleanups.push(() => new Promise((resolve) => server.close(resolve)));
    const { port } = server.address() as { port: number };
    const secret = join(folder, 'secret.wav');
    writeFileSync(secret, made('secret-made.wav', []));
    const places = [
      `file://${secret}`,
      secret,
      `http://127.0.0.1:${port}/a.wav`,
      `concat:${secret}|${secret}`,
    ];
    const formats = [
      (place: string) => `#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n${place}\n#EXT-X-ENDLIST\n`,
      (place: string) => `ffconcat version 1.0\nfile '${place}'\n`,
      (place: string) =>
        `<?xml version="1.0"?><MPD><Period><AdaptationSet><Representation><BaseURL>${place}</BaseURL></Representation></AdaptationSet></Period></MPD>`,
      () => `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nm=audio ${port} RTP/AVP 0\n`,
    ];
    const demuxers = ['mp3', 'aac', 'wav', 'ogg', 'flac', 'matroska', 'mov', 'aiff', 'caf', 'amr'];
    // A process for each demuxer and format; each place comes to each format at several of them.
    for (const [i, demuxer] of demuxers.entries()) {
      for (const format of formats) {
        const bytes = Buffer.from(format(places[i % places.length] ?? ''));
        const samples = await decode(ffmpeg, { bytes, type: { contentType: '', demuxer } }, 5, never());
        // Some demuxers take any bytes for sound. What they make of a list is shorter than what it names.
        expect(samples?.length ?? 0).toBeLessThan(SAMPLE_BYTES_PER_SECOND);
      }
    }
    expect(connections).toBe(0);
  });

  it('answers nonsense of every kind with nothing', async () => {
    for (const whole of ['a.m4a', 'a.ogg', 'a.webm', 'a.flac'].map((name) =>
      readFileSync(join(folder, name)),
    )) {
      for (let n = 0; n < 6; n += 1) {
        const broken = Buffer.from(whole);
        for (let at = 64 + n; at < broken.length; at += 97 + 31 * n) broken[at] = (at * 37 + n) & 0xff;
        const samples = await decode(ffmpeg, recordingOf(broken), 5, never());
        expect(samples?.length ?? 0).toBeLessThanOrEqual(5 * SAMPLE_BYTES_PER_SECOND);
      }
    }
    expect(leftovers()).toEqual([]);
  });

  // A system has one of the two: 5.x brings the first, older ones the second.
  const installed = ['pocketsphinx', 'pocketsphinx_continuous'].flatMap((name) => {
    const program = findProgram(searchPath, name);
    return program ? [{ name, program }] : [];
  });
  describe.each(installed)('and hearing by $name', ({ name, program }) => {
    const heardBy = async (bytes: Buffer) => {
      const { folder: place } = programs({});
      for (const [link, target] of [
        ['ffmpeg', ffmpeg],
        [name, program],
      ] as const)
        symlinkSync(target, join(place, link));
      const speech = created(createSpeech({ stt: null, searchPath: place }));
      return speech.hear(recordingOf(bytes), never());
    };

    it('understands most of a clear voice', async () => {
      const { text } = (await heardBy(OLD_HOUSE.bytes)) as { text: string };
      const rate = wordErrorRate(OLD_HOUSE.words, text);
      process.stdout.write(`Word error rate of ${name}: ${(rate * 100).toFixed(0)} % (“${text}”)\n`);
      expect(rate).toBeLessThan(0.5);
      expect(leftovers()).toEqual([]);
    });

    it('answers silence and the shortest of sounds without failing', async () => {
      const silence = made('silence.wav', ['-t', '2'], ['-f', 'lavfi', '-i', 'anullsrc=r=16000:cl=mono']);
      expect(await heardBy(silence)).toEqual({ text: '' });
      const click = made('click.wav', ['-t', '0.01'], ['-f', 'lavfi', '-i', 'sine=440:r=16000']);
      expect(await heardBy(click)).toEqual({ text: '' });
    });
  });
});

describe('the rate of wrong words', () => {
  it.each([
    ['a b c', 'a b c', 0],
    ['a b c d', 'a x c d', 0.25],
    ['a b c d', 'a c d', 0.25],
    ['a b c d', 'a b b c d', 0.25],
    ['a b', '', 1],
    ['a b', 'A, b!', 0],
  ])('between "%s" and "%s" is %d', (said, heard, rate) => {
    expect(wordErrorRate(said, heard)).toBe(rate);
  });
});

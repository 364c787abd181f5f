// Makes the whisper that comes with the program: src/web/public/whisper.mp3. Run by hand, and only when its words change:
// the result is committed. It takes espeak-ng, sox with its MP3 format, and ffmpeg; on Debian:
// apt-get install espeak-ng sox libsox-fmt-mp3 ffmpeg
import { execFileSync } from 'node:child_process';
import { mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const target = fileURLToPath(new URL('../src/web/public/whisper.mp3', import.meta.url));
/** What is served to every visitor stays small. */
const BYTES_MAX = 400 * 1024;

/** Each line with the second at which it begins. */
const LINES = [
  [2.5, 'You are early. Stay.'],
  [7.5, 'There is a room behind the words, and no one keeps its key but you.'],
  [16, 'What you leave here, no one reads.'],
  [20.5, 'What you keep here, no one takes.'],
  [26, 'Count your breath. Count it slowly.'],
  [32, 'We are thirteen, and then we are silence.'],
];
const SECONDS = 39;

const folder = mkdtempSync(join(tmpdir(), 'latebra-whisper-'));
const at = (name) => join(folder, name);
const run = (program, ...args) =>
  execFileSync(program, args.map(String), { stdio: ['ignore', 'ignore', 'inherit'] });

/** One voice that whispers all lines, each a little after it is due. */
function whisperLines(name, { voice, pitch, speed, late, effects }) {
  const parts = LINES.map(([begin, text], n) => {
    const said = at(`${name}-${n}-said.wav`);
    const placed = at(`${name}-${n}.wav`);
    run('espeak-ng', '-v', voice, '-p', pitch, '-s', speed, '-g', 6, '-w', said, text);
    run('sox', said, '-r', 44_100, '-c', 1, placed, 'pad', begin + late, 'gain', '-n', -6);
    return placed;
  });
  const voiceFile = at(`${name}.wav`);
  run('sox', '-m', ...parts, voiceFile, 'trim', 0, SECONDS, 'gain', '-n', -6, ...effects);
  return voiceFile;
}

try {
  // The near voice, in the middle; a second one that follows it on the left; a third, far away, on the right.
  const near = whisperLines('near', {
    voice: 'en-gb+whisper',
    pitch: 30,
    speed: 104,
    late: 0,
    effects: ['highpass', 140, 'lowpass', 5200, 'reverb', 45, 50, 80, 100, 20, 'gain', '-n', -5],
  });
  const left = whisperLines('left', {
    voice: 'en-gb+whisperf',
    pitch: 45,
    speed: 96,
    late: 0.45,
    effects: ['highpass', 400, 'lowpass', 4200, 'reverb', 75, 50, 100, 100, 40, 'gain', '-n', -14],
  });
  const right = whisperLines('right', {
    voice: 'en-gb+whisper',
    pitch: 10,
    speed: 84,
    late: 1.1,
    effects: ['lowpass', 2600, 'reverb', 95, 60, 100, 100, 60, 'gain', '-n', -16],
  });
  // Breath: noise that swells and falls. Under it, an open fifth, low, each tone beating slowly.
  run(
    'sox',
    '-R',
    '-n',
    '-r',
    44_100,
    '-c',
    1,
    at('air.wav'),
    'synth',
    SECONDS,
    'pinknoise',
    'lowpass',
    900,
    'highpass',
    120,
    'tremolo',
    0.13,
    85,
    'gain',
    '-n',
    -24,
  );
  run(
    'sox',
    '-R',
    '-n',
    '-r',
    44_100,
    '-c',
    1,
    at('drone.wav'),
    'synth',
    SECONDS,
    'sine',
    73.42,
    'sine',
    'mix',
    73.7,
    'sine',
    'mix',
    110,
    'sine',
    'mix',
    110.25,
    'sine',
    'mix',
    146.83,
    'lowpass',
    420,
    'tremolo',
    0.1,
    30,
    'reverb',
    60,
    'gain',
    '-n',
    -20,
  );

  const pan = (input, l, r) => {
    const panned = input.replace('.wav', '-stereo.wav');
    run('sox', input, '-c', 2, panned, 'remix', `1v${l}`, `1v${r}`);
    return panned;
  };
  const layers = [
    pan(near, 0.8, 0.8),
    pan(left, 1, 0.25),
    pan(right, 0.2, 1),
    pan(at('air.wav'), 1, 0.9),
    pan(at('drone.wav'), 0.9, 1),
  ];
  run(
    'sox',
    '-m',
    ...layers,
    at('mixed.wav'),
    'compand',
    '0.05,0.5',
    '-70,-70,-40,-30,-20,-14,0,-8',
    'fade',
    't',
    2.5,
    SECONDS,
    4,
    'gain',
    '-n',
    -3,
  );
  run(
    'ffmpeg',
    '-v',
    'error',
    '-y',
    '-i',
    at('mixed.wav'),
    '-map_metadata',
    -1,
    '-codec:a',
    'libmp3lame',
    '-b:a',
    '80k',
    '-joint_stereo',
    1,
    '-write_xing',
    1,
    '-id3v2_version',
    0,
    at('whisper.mp3'),
  );
  const { size } = statSync(at('whisper.mp3'));
  if (size > BYTES_MAX) throw new Error(`The whisper has ${size} bytes, which is more than ${BYTES_MAX}.`);
  run('cp', at('whisper.mp3'), `${target}.making`);
  renameSync(`${target}.making`, target);
  console.log(`Wrote ${target}: ${size} bytes.`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

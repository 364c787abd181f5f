// What the terminal's session is made of: its lines, what happens to it, and what it has done. Pure.
import type { Verification } from '../../shared/nouns/holders.ts';

/** `typed` by whoever sits there, `read` out of an artifact, the others said by the terminal. */
export type Tone = 'dim' | 'plain' | 'lit' | 'error' | 'typed' | 'read';

export interface Line {
  id: number;
  tone: Tone;
  text: string;
}

/** An artifact that was taken, and what opens it. */
export interface Artifact {
  /** Of the wallet. */
  address: string;
  file: string;
  armored: string;
  passphrase: string;
}

type Stage =
  | 'booting'
  /** No wallet is connected. */
  | 'walletless'
  | 'checking'
  /** The wallet holds nothing, or nobody could say what it holds. */
  | 'denied'
  | 'unknown'
  /** A holder, whose artifact is being announced. */
  | 'granted'
  | 'ready';

export interface Session {
  lines: Line[];
  stage: Stage;
  address: string | null;
  /** Counts what was begun: what comes of something begun before is heard no more. */
  run: number;
  /** A wallet, or the artifact's opening, is being waited for. */
  busy: boolean;
  artifact: Artifact | null;
  /** What was typed, the latest last. */
  history: string[];
}

export type SessionEvent =
  | { type: 'opened'; address: string | null }
  | { type: 'waited'; run: number; step: 'listening' | 'wallet' | 'check' | 'generating' | 'ready' }
  /** The wallet shows another address now, or none. */
  | { type: 'address'; address: string | null }
  | { type: 'verified'; run: number; holding: Verification; now: number }
  | { type: 'unverified'; run: number; sentence: string }
  | { type: 'command'; text: string }
  | { type: 'several-wallets'; names: string[] }
  | { type: 'extracted'; run: number; artifact: Artifact }
  | { type: 'not-extracted'; run: number; sentence: string }
  | { type: 'read'; run: number; text: string; signature: 'good' | 'bad' | 'unchecked' }
  | { type: 'not-read'; run: number }
  | { type: 'copied'; ok: boolean };

export type Effect =
  | { type: 'wait'; milliseconds: number; next: SessionEvent }
  | { type: 'verify'; run: number; address: string }
  /** `name` where one of several wallets was named. */
  | { type: 'connect'; name: string }
  | { type: 'disconnect' }
  /** `passphrase` where this wallet has made it here already. */
  | { type: 'extract'; run: number; address: string; passphrase: string | null }
  | { type: 'read'; run: number; artifact: Artifact }
  | { type: 'copy'; text: string }
  | { type: 'close' }
  | { type: 'decode' };

export type Stepped = [Session, Effect[]];

/** Between two boot lines, in milliseconds. */
export const BOOT_STEP = 800;

/** From the last boot line to the check, and from the grant to the making of the artifact. */
export const BEFORE_CHECK = 1000;

export const BEFORE_GENERATING = 1000;

export const BEFORE_READY = 1500;

export const UNKNOWN_COMMAND = 'Unknown command. Available: extract, exit';

/** What is understood and may be known. What opens an artifact here is found by trying. */
export const HELP = [
  'connect     shows the terminal a wallet',
  'disconnect  forgets it',
  'verify      asks again what it holds',
  'extract     takes the artifact, for holders',
  'copy        copies the passphrase of the artifact',
  'decode      reads a string of hex, elsewhere',
  'clear       empties the screen',
  'exit        leaves',
];

export const blankSession: Session = {
  lines: [],
  stage: 'booting',
  address: null,
  run: 0,
  busy: false,
  artifact: null,
  history: [],
};

export function say(session: Session, tone: Tone, ...texts: string[]): Session {
  const first = (session.lines.at(-1)?.id ?? 0) + 1;
  const lines = texts.map((text, i) => ({ id: first + i, tone, text }));
  return { ...session, lines: [...session.lines, ...lines] };
}

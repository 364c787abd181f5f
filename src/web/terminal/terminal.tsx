// The terminal overlay, "thirteen.sh". It is fetched when it is first opened, brings the code for wallets, and works
// for visitors as well.
import * as Radix from '@radix-ui/react-dialog';
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { ScreenPath } from '../../shared/screens.ts';
import { classes } from '../ui/classes.ts';
import { Veil } from '../ui/veil.tsx';
import { installedWallets, onWalletsChanged } from '../wallet/installed-wallets.ts';
import { suggestionsOf } from './session.ts';
import type { Line, Session, Tone } from './session-state.ts';
import { type Schedule, useSession } from './use-session.ts';

interface TerminalProps {
  open: boolean;
  onClose: () => void;
  /** Goes to a screen: within the app, or by another document where there is no app. */
  visit: (path: ScreenPath) => void;
  /** How it waits. Tests let time pass themselves. */
  schedule?: Schedule;
}

export default function Terminal({ open, onClose, visit, schedule }: TerminalProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <Veil
      open={open}
      onClose={onClose}
      focusFirst={() => input.current}
      veilClassName="grid grid-cols-1 items-center bg-ink-0/90 sm:px-8 sm:py-12"
      className="mx-auto flex h-dvh w-full max-w-[52rem] min-w-0 flex-col border-line bg-ink-0 sm:h-auto sm:max-h-[calc(100dvh-6rem)] sm:border"
    >
      <header className="flex items-center justify-between border-b border-line pl-5 sm:pl-6">
        <Radix.Title className="caps text-dust">thirteen.sh</Radix.Title>
        <Radix.Close
          aria-label="Close the terminal"
          className="caps min-h-11 cursor-pointer px-5 text-dust transition-colors hover:text-bone sm:px-6"
        >
          Esc
        </Radix.Close>
      </header>
      <Screen input={input} onClose={onClose} visit={visit} {...(schedule && { schedule })} />
    </Veil>
  );
}

/** Lives as long as the terminal is open: each opening begins anew. */
function Screen(props: {
  input: React.RefObject<HTMLInputElement | null>;
  onClose: () => void;
  visit: (path: ScreenPath) => void;
  schedule?: Schedule;
}) {
  const { input, onClose, visit } = props;
  const { session, obey } = useSession(onClose, visit, props.schedule);
  const scroller = useRef<HTMLDivElement>(null);
  const { lines } = session;
  // biome-ignore lint/correctness/useExhaustiveDependencies: it follows the last line
  useEffect(() => {
    const { current } = scroller;
    if (current) current.scrollTop = current.scrollHeight;
  }, [lines]);

  return (
    // A press beside the words leads to the prompt, as in any terminal; whoever uses keys is there already.
    // biome-ignore lint/a11y/noStaticElementInteractions: the prompt itself is what is reached
    // biome-ignore lint/a11y/useKeyWithClickEvents: the prompt itself is what is reached
    <div
      ref={scroller}
      className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-5 py-6 font-machine text-small/[1.9] normal-nums sm:min-h-[24rem] sm:px-6"
      onClick={(event) => {
        if (event.target === event.currentTarget) input.current?.focus();
      }}
    >
      <div role="log" aria-label="What the terminal says" className="wrap-anywhere">
        {lines.map((line) => (
          <Said key={line.id} line={line} />
        ))}
      </div>
      <Prompt ref={input} session={session} obey={obey} />
      <Suggestions
        session={session}
        onPress={(command) => {
          obey(command);
          input.current?.focus();
        }}
      />
    </div>
  );
}

const tones: Record<Tone, string> = {
  dim: 'text-shade',
  plain: 'text-verdigris',
  lit: 'text-ember',
  error: 'text-blood',
  typed: 'text-bone',
  read: 'text-bone',
};

/** Words that can be typed, in the lines that say so. */
const COMMANDS = /\b(extract|exit|verify)\b/;
const ADVICE = /\btype (?:extract|verify)\b/;
/** A command and, in a column of its own, what it does: on a phone the column stays where it is. */
const EXPLAINED = /^\S+ {2,}/;

function Said({ line: { tone, text } }: { line: Line }) {
  const parts = ADVICE.test(text) ? text.split(COMMANDS) : [text];
  const isBeginning = tone === 'lit' || tone === 'typed';
  return (
    <p
      className={classes(
        'min-h-[1.9em] whitespace-pre-wrap',
        isBeginning && 'mt-[0.95em]',
        EXPLAINED.test(text) && 'pl-[12ch] -indent-[12ch]',
        tones[tone],
      )}
    >
      {tone === 'typed' && <span aria-hidden="true">› </span>}
      {parts.map((part, i) =>
        i % 2 === 1 ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a line never change
          <span key={i} className="text-ember">
            {part}
          </span>
        ) : (
          part
        ),
      )}
    </p>
  );
}

interface PromptProps {
  ref: React.RefObject<HTMLInputElement | null>;
  session: Session;
  obey: (text: string) => void;
}

function Prompt({ ref, session: { history }, obey }: PromptProps) {
  const [typed, setTyped] = useState('');
  /** How far back in the history, 0 for what is being typed. */
  const [back, setBack] = useState(0);

  function submit(event: FormEvent) {
    event.preventDefault();
    obey(typed);
    setTyped('');
    setBack(0);
  }

  function leaf(event: KeyboardEvent) {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const next = Math.min(history.length, Math.max(0, back + by));
    setBack(next);
    setTyped(next === 0 ? '' : (history.at(-next) ?? ''));
  }

  return (
    <form onSubmit={submit} className="relative mt-[0.95em] flex items-center gap-[1ch] text-verdigris">
      <span aria-hidden="true">›</span>
      <input
        ref={ref}
        aria-label="Command"
        className={classes(
          'peer min-w-0 flex-1 bg-transparent py-1 text-bone outline-hidden focus-visible:shadow-none focus-visible:outline-hidden',
          typed === '' ? 'caret-transparent' : 'caret-ember',
        )}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={leaf}
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="go"
        maxLength={200}
      />
      {typed === '' && (
        <span
          aria-hidden="true"
          className="pointer-events-none absolute left-[2ch] h-[1.3em] w-[0.28em] bg-ember/40 peer-focus:animate-breathe peer-focus:bg-ember"
        />
      )}
    </form>
  );
}

function Suggestions({ session, onPress }: { session: Session; onPress: (command: string) => void }) {
  // The wallets are looked up when one comes or goes.
  const names = useSyncExternalStore(onWalletsChanged, namesOfWallets);
  return (
    <ul aria-label="Commands" className="mt-5 flex flex-wrap gap-3">
      {suggestionsOf(session, names === '' ? [] : names.split('\n')).map((command) => (
        <li key={command}>
          <button
            type="button"
            className="caps min-h-11 cursor-pointer border border-edge/70 px-4 text-dust transition-colors hover:border-dust hover:text-bone"
            onClick={() => onPress(command)}
          >
            {command}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** One string, which is the same as long as the wallets are. */
const namesOfWallets = () =>
  installedWallets()
    .map(({ name }) => name)
    .join('\n');

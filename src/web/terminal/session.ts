// What the terminal says and does, as a pure function of what has happened: it has no clock, asks nobody and draws
// nothing. What it wants done it returns as effects; use-session.ts does them.
import { RITUAL_MINIMUM, rankTitle, TOKEN_SYMBOL, type Verification } from '../../shared/nouns/holders.ts';
import { formatDuration } from '../../shared/time.ts';
import { formatAmount, shortAddress } from '../ui/amounts.ts';
import {
  type Artifact,
  BEFORE_CHECK,
  BEFORE_GENERATING,
  BEFORE_READY,
  BOOT_STEP,
  blankSession,
  type Effect,
  HELP,
  type Session,
  type SessionEvent,
  type Stepped,
  say,
  UNKNOWN_COMMAND,
} from './session-state.ts';

/** What follows an event. */
export function step(session: Session, event: SessionEvent): Stepped {
  switch (event.type) {
    case 'opened':
      return open(session, event.address);
    case 'waited':
      return event.run === session.run ? proceed(session, event.step) : [session, []];
    case 'address':
      return changeAddress(session, event.address);
    case 'verified':
      return event.run === session.run ? judge(session, event.holding, event.now) : [session, []];
    case 'unverified':
      if (event.run !== session.run) return [session, []];
      return [
        say(
          say({ ...session, stage: 'unknown' }, 'error', event.sentence),
          'dim',
          'type verify to ask again',
        ),
        [],
      ];
    case 'command':
      return obey(session, event.text.trim());
    case 'several-wallets':
      return [
        say(
          session,
          'plain',
          'Several wallets are installed. Choose one:',
          ...event.names.map((name) => `connect ${name}`),
        ),
        [],
      ];
    case 'extracted':
      if (event.run !== session.run) return [session, []];
      return [take({ ...session, busy: false }, event.artifact), []];
    case 'not-extracted':
      if (event.run !== session.run) return [session, []];
      return [
        say(
          say({ ...session, busy: false }, 'error', event.sentence),
          'dim',
          'nothing was taken; type extract to try again',
        ),
        [],
      ];
    case 'read':
      if (event.run !== session.run) return [session, []];
      return [
        say(
          say({ ...session, busy: false }, 'read', ...event.text.replace(/\s+$/, '').split('\n')),
          event.signature === 'bad' ? 'error' : 'dim',
          signatureWords[event.signature],
        ),
        [],
      ];
    case 'not-read':
      if (event.run !== session.run) return [session, []];
      return [say({ ...session, busy: false }, 'error', 'This artifact could not be opened here.'), []];
    case 'copied':
      return [
        say(
          session,
          event.ok ? 'dim' : 'error',
          event.ok ? 'passphrase copied' : 'The browser did not let it be copied.',
        ),
        [],
      ];
  }
}

const signatureWords = {
  good: 'signature: good, by the key of this server',
  bad: 'signature: NOT by the key that this server gives',
  unchecked: 'signature: not checked, as the key of this server could not be fetched',
};

function open(session: Session, address: string | null): Stepped {
  const run = session.run + 1;
  const wait = (milliseconds: number, what: 'listening' | 'wallet' | 'check'): Effect => ({
    type: 'wait',
    milliseconds,
    next: { type: 'waited', run, step: what },
  });
  return [
    say({ ...blankSession, run, address }, 'dim', 'WHISPER CHAIN v1.3'),
    [
      wait(BOOT_STEP, 'listening'),
      wait(2 * BOOT_STEP, 'wallet'),
      wait(2 * BOOT_STEP + BEFORE_CHECK, 'check'),
    ],
  ];
}

function proceed(session: Session, what: (SessionEvent & { type: 'waited' })['step']): Stepped {
  const { address, run } = session;
  switch (what) {
    case 'listening':
      return [say(session, 'dim', 'listening on the ledger…'), []];
    case 'wallet':
      return [say(session, 'dim', address ? connected(address) : 'looking for a wallet…'), []];
    case 'check':
      return check(session);
    case 'generating':
      return [
        say(session, 'plain', 'Generating encrypted artifact...'),
        [{ type: 'wait', milliseconds: BEFORE_READY, next: { type: 'waited', run, step: 'ready' } }],
      ];
    case 'ready':
      return [
        say(
          { ...session, stage: 'ready' },
          'plain',
          'artifact.asc ready for extraction',
          'type extract to take it, exit to leave',
        ),
        [],
      ];
  }
}

const connected = (address: string) => `wallet ${shortAddress(address)} connected`;

/** Begins something new: what was under way is heard no more, and is not waited for. */
function begin(session: Session): Session {
  const given = session.busy ? say(session, 'dim', 'what was under way was given up') : session;
  return { ...given, busy: false, run: session.run + 1 };
}

function check(session: Session): Stepped {
  const { address } = session;
  const begun = begin(session);
  if (address === null) return [sayWalletless(begun), []];
  return [{ ...begun, stage: 'checking' }, [{ type: 'verify', run: begun.run, address }]];
}

const sayWalletless = (session: Session): Session =>
  say(
    say({ ...session, stage: 'walletless' }, 'error', 'ERROR: No wallet connected'),
    'plain',
    'Connect wallet to verify holder status',
  );

const sayDenied = (session: Session): Session =>
  say(
    say({ ...session, stage: 'denied' }, 'error', 'ACCESS DENIED'),
    'plain',
    'Your wallet is not among the Chosen.',
    'Acquire the token to unlock the whisper chain.',
  );

function changeAddress(session: Session, address: string | null): Stepped {
  if (address === session.address) return [session, []];
  const changed = { ...session, address };
  // The boot comes to its check by itself.
  if (session.stage === 'booting') return [changed, []];
  if (address === null) {
    return [sayWalletless(say(begin(changed), 'dim', 'wallet disconnected')), []];
  }
  return check(say(begin(changed), 'dim', connected(address)));
}

function judge(session: Session, holding: Verification, now: number): Stepped {
  const told = holding.isStale
    ? say(
        session,
        'dim',
        `The list of holders is ${ageOf(holding, now)} old: the chain could not be read since.`,
      )
    : session;
  if (!holding.isHolder) return [sayDenied(told), []];
  const title = holding.rank === undefined ? '' : ` · ${rankTitle(holding.rank)}`;
  const granted = say(
    say({ ...told, stage: 'granted' }, 'lit', 'ACCESS GRANTED'),
    'plain',
    `${formatAmount(holding.amount)} ${TOKEN_SYMBOL}${title}`,
    ...(holding.hasRituals ? [`${RITUAL_MINIMUM} or more: the sacred rituals are open`] : []),
  );
  const next = { type: 'waited', run: session.run, step: 'generating' } as const;
  return [granted, [{ type: 'wait', milliseconds: BEFORE_GENERATING, next }]];
}

const ageOf = ({ readAt }: Verification, now: number) => formatDuration(now - Date.parse(readAt));

function take(session: Session, artifact: Artifact): Session {
  return say(
    say(
      say({ ...session, artifact }, 'plain', `${artifact.file} was handed to your browser`),
      'lit',
      `passphrase ${artifact.passphrase}`,
    ),
    'plain',
    `Only wallet ${shortAddress(artifact.address)} can make it again. This server knows it too: it encrypted the artifact under it.`,
    'To open it, give the passphrase to:',
    `gpg --decrypt ${artifact.file}`,
  );
}

function obey(session: Session, text: string): Stepped {
  if (text === '') return [session, []];
  const history = session.history.at(-1) === text ? session.history : [...session.history, text];
  const heard = say({ ...session, history }, 'typed', text);
  const [verb = '', ...rest] = text.toLowerCase().split(/\s+/);
  if (verb === 'connect') return [heard, [{ type: 'connect', name: rest.join(' ') }]];
  return rest.length === 0 ? obeyWord(heard, verb) : [say(heard, 'error', UNKNOWN_COMMAND), []];
}

function obeyWord(session: Session, verb: string): Stepped {
  switch (verb) {
    case 'extract':
      return extract(session);
    case 'exit':
      return [session, [{ type: 'close' }]];
    case 'decode':
      return [say(session, 'dim', 'sixteen is a base, not an age'), [{ type: 'decode' }]];
    case 'open':
      if (session.busy) return [sayBusy(session), []];
      return session.artifact
        ? [{ ...session, busy: true }, [{ type: 'read', run: session.run, artifact: session.artifact }]]
        : [say(session, 'plain', 'Nothing was taken yet. Type extract first.'), []];
    case 'verify':
      return session.stage === 'booting' ? [sayVerifying(session), []] : check(session);
    case 'disconnect':
      return session.address === null ? [sayWalletless(session), []] : [session, [{ type: 'disconnect' }]];
    case 'copy':
      return session.artifact
        ? [session, [{ type: 'copy', text: session.artifact.passphrase }]]
        : [say(session, 'plain', 'There is no passphrase yet. Type extract first.'), []];
    case 'help':
      return [say(session, 'plain', ...HELP), []];
    case 'clear':
      return [{ ...session, lines: [] }, []];
    default:
      return [say(session, 'error', UNKNOWN_COMMAND), []];
  }
}

const sayBusy = (session: Session) => say(session, 'plain', 'One moment: the last command is under way.');

const sayVerifying = (session: Session) => say(session, 'plain', 'The wallet is being verified.');

function extract(session: Session): Stepped {
  const { stage, address, artifact } = session;
  if (stage === 'booting' || stage === 'checking') return [sayVerifying(session), []];
  if (address === null) return [sayWalletless(session), []];
  if (stage === 'denied') return [sayDenied(session), []];
  if (stage === 'unknown') return [say(session, 'plain', 'The wallet was not verified. Type verify.'), []];
  if (stage === 'granted') return [say(session, 'plain', 'The artifact is not ready yet.'), []];
  const passphrase = artifact?.address === address ? artifact.passphrase : null;
  const asks =
    passphrase === null
      ? 'Your wallet will ask you to sign three times: twice for the passphrase, once as proof. No tokens move.'
      : 'Your wallet will ask you to sign once, as proof. No tokens move.';
  // A wallet may hang, or its window be closed without an answer: whoever types it again has given the first one up.
  const begun = begin(session);
  const { run } = begun;
  return [say({ ...begun, busy: true }, 'dim', asks), [{ type: 'extract', run, address, passphrase }]];
}

/** What can be pressed instead of typed, for those without a keyboard. @param wallets the names of those installed */
export function suggestionsOf({ stage, artifact, busy }: Session, wallets: string[]): string[] {
  if (busy || stage === 'booting' || stage === 'checking') return ['exit'];
  // What a string of hex says is read elsewhere, and needs no wallet.
  const always = ['decode', 'exit'];
  if (stage === 'walletless') {
    return [...(wallets.length > 1 ? wallets.map((name) => `connect ${name}`) : ['connect']), ...always];
  }
  if (stage === 'ready') return ['extract', ...(artifact ? ['copy'] : []), ...always];
  return stage === 'granted' ? ['exit'] : ['verify', ...always];
}

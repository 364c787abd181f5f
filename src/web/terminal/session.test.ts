import { expect, it } from 'vitest';
import type { Verification } from '../../shared/nouns/holders.ts';
import { step, suggestionsOf } from './session.ts';
import { blankSession, type Effect, type Session, type SessionEvent } from './session-state.ts';

const ADDRESS = '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosg9fQe';
const NOW = Date.parse('2030-06-01T12:00:00.000Z');
const holding = (changes: Partial<Verification> = {}): Verification => ({
  isHolder: true,
  amount: 1204,
  rank: 7,
  hasRituals: false,
  readAt: '2030-06-01T11:59:30.000Z',
  isStale: false,
  ...changes,
});
const nothing = { isHolder: false, amount: 0, rank: undefined, hasRituals: false };

/** A terminal before a clock that stands until it is moved; what it wants of others is noted. */
function run(address: string | null = ADDRESS) {
  let now = 0;
  let session: Session = blankSession;
  const waiting: { at: number; event: SessionEvent }[] = [];
  const wanted: Effect[] = [];
  const said: [at: number, text: string][] = [];
  function tell(event: SessionEvent): void {
    const before = session.lines;
    const [next, effects] = step(session, event);
    session = next;
    if (!session.lines.includes(before[0] as never)) said.push(...session.lines.map(toSaid));
    else said.push(...session.lines.slice(before.length).map(toSaid));
    for (const effect of effects) {
      if (effect.type === 'wait') waiting.push({ at: now + effect.milliseconds, event: effect.next });
      else wanted.push(effect);
    }
  }
  const toSaid = ({ text }: { text: string }): [number, string] => [now, text];
  function pass(milliseconds: number): void {
    const until = now + milliseconds;
    for (;;) {
      const [due] = waiting.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at);
      if (!due) break;
      waiting.splice(waiting.indexOf(due), 1);
      now = due.at;
      tell(due.event);
    }
    now = until;
  }
  /** What was said since the last look. */
  const since = () => said.splice(0).map(([, text]) => text);
  const verified = (changes?: Partial<Verification>) =>
    tell({ type: 'verified', run: session.run, holding: holding(changes), now: NOW });
  const type = (text: string) => tell({ type: 'command', text });
  tell({ type: 'opened', address: null });
  tell({ type: 'address', address });
  return { tell, pass, said, since, wanted, verified, type, session: () => session };
}

/** A terminal that has come to its check. */
function checked(address: string | null = ADDRESS) {
  const terminal = run(address);
  terminal.pass(2600);
  terminal.since();
  return terminal;
}

/** A holder's, with the artifact announced. */
function ready() {
  const terminal = checked();
  terminal.verified();
  terminal.pass(2500);
  terminal.since();
  terminal.wanted.length = 0;
  return terminal;
}

const WALLETLESS = ['ERROR: No wallet connected', 'Connect wallet to verify holder status'];
const DENIED = [
  'ACCESS DENIED',
  'Your wallet is not among the Chosen.',
  'Acquire the token to unlock the whisper chain.',
];
const UNKNOWN = 'Unknown command. Available: extract, exit';

it('boots in steps of 800 milliseconds, and checks the wallet a second later', () => {
  const { pass, said, wanted, session } = run();
  pass(2599);
  expect(said).toEqual([
    [0, 'WHISPER CHAIN v1.3'],
    [800, 'listening on the ledger…'],
    [1600, 'wallet 7xKX…9fQe connected'],
  ]);
  expect(wanted).toEqual([]);
  pass(1);
  expect(wanted).toEqual([{ type: 'verify', run: session().run, address: ADDRESS }]);
});

it('says without a wallet that there is none', () => {
  const { pass, said, wanted } = run(null);
  pass(10_000);
  expect(said.slice(2)).toEqual([
    [1600, 'looking for a wallet…'],
    [2600, WALLETLESS[0]],
    [2600, WALLETLESS[1]],
  ]);
  expect(wanted).toEqual([]);
});

it('grants a holder access, and announces the artifact after one second and one and a half more', () => {
  const { verified, pass, said } = checked();
  verified();
  pass(10_000);
  expect(said).toEqual([
    [2600, 'ACCESS GRANTED'],
    [2600, '1,204 LAT · Sacred Holder #7'],
    [3600, 'Generating encrypted artifact...'],
    [5100, 'artifact.asc ready for extraction'],
    [5100, 'type extract to take it, exit to leave'],
  ]);
});

it.each([
  [1, 'The Curve'],
  [2, 'The Architect'],
  [3, 'Sacred Holder #3'],
  [13, 'Sacred Holder #13'],
  [14, 'Witness #14'],
])('calls the holder of rank %d %s', (rank, title) => {
  const { verified, since } = checked();
  verified({ rank });
  expect(since()[1]).toBe(`1,204 LAT · ${title}`);
});

it('tells the amount alone where no rank came with it, and that the rituals are open', () => {
  const { verified, since } = checked();
  verified({ rank: undefined, amount: 1_234_567.5, hasRituals: true });
  expect(since()).toEqual(['ACCESS GRANTED', '1,234,567.5 LAT', '100 or more: the sacred rituals are open']);
});

it('denies whoever holds nothing, now and when extract is typed', () => {
  const { verified, since, type, pass } = checked();
  verified(nothing);
  pass(10_000);
  expect(since()).toEqual(DENIED);
  type('extract');
  expect(since()).toEqual(['extract', ...DENIED]);
});

it('says how old a list is that could not be read again', () => {
  const { verified, since } = checked();
  verified({ isStale: true, readAt: '2030-06-01T09:00:00.000Z' });
  expect(since()[0]).toBe('The list of holders is 3 hours old: the chain could not be read since.');
});

it('says why the check failed, and checks again when asked', () => {
  const { tell, session, since, type, wanted } = checked();
  tell({ type: 'unverified', run: session().run, sentence: 'No token is configured on this server.' });
  expect(since()).toEqual(['No token is configured on this server.', 'type verify to ask again']);
  type('extract');
  expect(since()[1]).toBe('The wallet was not verified. Type verify.');
  type('verify');
  expect(wanted.at(-1)).toEqual({ type: 'verify', run: session().run, address: ADDRESS });
});

it('hears no answer to an older check, and no timer of it', () => {
  const { tell, session, since, verified, pass, wanted } = checked();
  const { run: older } = session();
  tell({ type: 'address', address: 'B'.repeat(44) });
  expect(since()).toEqual(['wallet BBBB…BBBB connected']);
  tell({ type: 'verified', run: older, holding: holding(), now: NOW });
  tell({ type: 'unverified', run: older, sentence: 'too late' });
  expect(since()).toEqual([]);
  verified();
  tell({ type: 'address', address: ADDRESS });
  since();
  pass(10_000);
  expect(since()).toEqual([]);
  expect(wanted).toHaveLength(3);
});

it('takes another wallet up while it boots, and says when the wallet has gone', () => {
  const early = run(null);
  early.pass(1000);
  early.tell({ type: 'address', address: ADDRESS });
  early.pass(2000);
  expect(early.since()).toContain('wallet 7xKX…9fQe connected');
  expect(early.wanted).toHaveLength(1);
  const late = ready();
  late.tell({ type: 'address', address: null });
  expect(late.since()).toEqual(['wallet disconnected', ...WALLETLESS]);
  late.type('extract');
  expect(late.since()).toEqual(['extract', ...WALLETLESS]);
});

it.each(['extract', 'EXTRACT', '  Extract ', 'eXtRaCt'])('a holder extracts by typing %j', (typed) => {
  const { type, wanted, session } = ready();
  type(typed);
  expect(wanted).toEqual([{ type: 'extract', run: session().run, address: ADDRESS, passphrase: null }]);
});

it.each([
  ['exit', 'EXIT', ' Exit '],
  ['exit', 'exit', 'exit'],
])('%s closes it, however it is typed', (...typed) => {
  for (const text of typed) {
    const { type, wanted } = ready();
    type(text);
    expect(wanted).toEqual([{ type: 'close' }]);
  }
});

it.each(['help me', 'extract now', 'ls -la', '…', 'exit!', 'artifact'])('does not know %j', (text) => {
  const { type, since, wanted } = ready();
  type(text);
  expect(since()).toEqual([text, UNKNOWN]);
  expect(wanted).toEqual([]);
});

it.each(['', ' ', '\t \n'])('ignores an empty command, %j', (text) => {
  const { type, since, session } = ready();
  type(text);
  expect(since()).toEqual([]);
  expect(session().history).toEqual([]);
});

it('extracts nothing before the artifact is announced', () => {
  const early = run();
  early.type('extract');
  expect(early.since()).toContain('The wallet is being verified.');
  early.pass(2600);
  early.verified();
  early.since();
  early.type('extract');
  expect(early.since()).toEqual(['extract', 'The artifact is not ready yet.']);
});

it('shows the passphrase of an artifact that was taken, how to open it, and who else knows it', () => {
  const { type, tell, since, wanted, session } = ready();
  type('extract');
  since();
  const { run } = session();
  const artifact = { address: ADDRESS, file: 'artifact-x.asc', armored: 'armor', passphrase: 'abcd-2345' };
  tell({ type: 'extracted', run, artifact });
  expect(since()).toEqual([
    'artifact-x.asc was handed to your browser',
    'passphrase abcd-2345',
    'Only wallet 7xKX…9fQe can make it again. This server knows it too: it encrypted the artifact under it.',
    'To open it, give the passphrase to:',
    'gpg --decrypt artifact-x.asc',
  ]);
  type('copy');
  type('OPEN');
  expect(wanted.slice(1)).toEqual([
    { type: 'copy', text: 'abcd-2345' },
    { type: 'read', run, artifact },
  ]);
  since();
  tell({ type: 'read', run, text: 'Scroll 7\n\nOne holds.\n', signature: 'good' });
  expect(since()).toEqual(['Scroll 7', '', 'One holds.', 'signature: good, by the key of this server']);
});

it('asks the same wallet for one signature the next time, and another wallet for all of them', () => {
  const { type, tell, since, wanted, verified, pass, session } = ready();
  tell({
    type: 'extracted',
    run: session().run,
    artifact: { address: ADDRESS, file: 'a', armored: 'b', passphrase: 'abcd-2345' },
  });
  since();
  type('extract');
  expect(wanted).toEqual([
    { type: 'extract', run: session().run, address: ADDRESS, passphrase: 'abcd-2345' },
  ]);
  expect(since()[1]).toBe('Your wallet will ask you to sign once, as proof. No tokens move.');
  tell({ type: 'not-extracted', run: session().run, sentence: 'No.' });
  tell({ type: 'address', address: 'B'.repeat(44) });
  verified();
  pass(2500);
  type('extract');
  expect(wanted.at(-1)).toMatchObject({ type: 'extract', address: 'B'.repeat(44), passphrase: null });
});

it('opens and copies nothing before an artifact was taken', () => {
  const { type, since, wanted } = ready();
  type('open');
  type('copy');
  expect(since()).toEqual([
    'open',
    'Nothing was taken yet. Type extract first.',
    'copy',
    'There is no passphrase yet. Type extract first.',
  ]);
  expect(wanted).toEqual([]);
});

it('lets an extraction that failed be repeated', () => {
  const { type, tell, since, wanted, session } = ready();
  type('extract');
  since();
  tell({ type: 'not-extracted', run: session().run, sentence: 'That took too long.' });
  expect(since()).toEqual(['That took too long.', 'nothing was taken; type extract to try again']);
  type('extract');
  expect(wanted).toHaveLength(2);
});

it('gives an extraction up that hangs, when extract is typed again', () => {
  const { type, tell, since, wanted, session } = ready();
  type('extract');
  const { run: first } = session();
  since();
  type('extract');
  expect(since()).toEqual([
    'extract',
    'what was under way was given up',
    'Your wallet will ask you to sign three times: twice for the passphrase, once as proof. No tokens move.',
  ]);
  const artifact = { address: ADDRESS, file: 'old.asc', armored: 'armor', passphrase: 'abcd-2345' };
  tell({ type: 'extracted', run: first, artifact });
  tell({ type: 'not-extracted', run: first, sentence: 'too late' });
  expect([since(), session().busy, session().artifact]).toEqual([[], true, null]);
  tell({ type: 'extracted', run: session().run, artifact });
  expect([since()[0], session().busy]).toEqual(['old.asc was handed to your browser', false]);
  expect(wanted).toHaveLength(2);
});

it.each(['B'.repeat(44), null])('gives an extraction up when the wallet shows %s', (address) => {
  const { type, tell, since, session } = ready();
  type('extract');
  const { run } = session();
  since();
  tell({ type: 'address', address });
  expect(since()[0]).toBe('what was under way was given up');
  expect(session().busy).toBe(false);
  const artifact = { address: ADDRESS, file: 'old.asc', armored: 'armor', passphrase: 'abcd-2345' };
  tell({ type: 'extracted', run, artifact });
  tell({ type: 'not-extracted', run, sentence: 'too late' });
  expect([since(), session().artifact]).toEqual([[], null]);
});

it('hears nothing of an artifact that was being opened when another thing was begun', () => {
  const { type, tell, since, session } = ready();
  const artifact = { address: ADDRESS, file: 'a', armored: 'b', passphrase: 'abcd-2345' };
  tell({ type: 'extracted', run: session().run, artifact });
  type('open');
  const { run } = session();
  type('open');
  expect(since().at(-1)).toBe('One moment: the last command is under way.');
  type('verify');
  since();
  tell({ type: 'read', run, text: 'late', signature: 'good' });
  tell({ type: 'not-read', run });
  expect(since()).toEqual([]);
});

it('lists what it understands, and each of these is understood', () => {
  const { since, type, pass } = run();
  pass(10_000);
  since();
  type('HELP');
  const [, ...listed] = since();
  const words = listed.map((line) => line.split(' ')[0] ?? '');
  expect(words).toEqual(['connect', 'disconnect', 'verify', 'extract', 'copy', 'decode', 'clear', 'exit']);
  for (const word of words) {
    const one = run();
    one.pass(10_000);
    one.since();
    one.type(word);
    expect(one.since(), word).not.toContain(UNKNOWN);
  }
});

it('keeps what was typed, once where it was typed twice in a row', () => {
  const { type, session } = ready();
  for (const text of ['help', 'help', ' ', 'clear', 'help']) type(text);
  expect(session().history).toEqual(['help', 'clear', 'help']);
  type('clear');
  expect(session().lines).toEqual([]);
});

it('asks which of several wallets, and hears a name in any case', () => {
  const { type, tell, since, wanted } = checked(null);
  type('connect');
  tell({ type: 'several-wallets', names: ['Phantom', 'Solflare'] });
  expect(since().slice(-3)).toEqual([
    'Several wallets are installed. Choose one:',
    'connect Phantom',
    'connect Solflare',
  ]);
  type('Connect SOLFLARE');
  expect(wanted).toEqual([
    { type: 'connect', name: '' },
    { type: 'connect', name: 'solflare' },
  ]);
});

it('suggests what can be done, and never the hidden command', () => {
  const none = checked(null);
  expect(suggestionsOf(none.session(), ['Phantom'])).toEqual(['connect', 'decode', 'exit']);
  expect(suggestionsOf(none.session(), ['A', 'B'])).toEqual(['connect A', 'connect B', 'decode', 'exit']);
  const holder = ready();
  expect(suggestionsOf(holder.session(), [])).toEqual(['extract', 'decode', 'exit']);
  holder.tell({
    type: 'extracted',
    run: holder.session().run,
    artifact: { address: ADDRESS, file: 'a', armored: 'b', passphrase: 'c' },
  });
  expect(suggestionsOf(holder.session(), [])).toEqual(['extract', 'copy', 'decode', 'exit']);
  const denied = checked();
  denied.verified(nothing);
  expect(suggestionsOf(denied.session(), [])).toEqual(['verify', 'decode', 'exit']);
});

it('leads to the decoder, with a wallet and without', () => {
  for (const terminal of [checked(null), ready()]) {
    const before = terminal.wanted.length;
    terminal.tell({ type: 'command', text: ' Decode ' });
    expect(terminal.wanted.slice(before)).toEqual([{ type: 'decode' }]);
  }
});

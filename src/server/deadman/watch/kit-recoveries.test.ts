// A thousand times guardians ask, while servers are away, calendars jump, mail is refused, owners come back, and kits are
// removed. What is checked is kept apart from the switch: the truth is in the test's own ledger.
import { createHash, randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../../shared/time.ts';
import { aSealId, ciphertext } from '../../../testing/planting.ts';
import { aWatchedInstance, type Watched } from '../../../testing/switch.ts';
import { askForVault } from '../routes/guardian-kits/ask-store.ts';
import { removeKit } from '../routes/guardian-kits/store.ts';

const VAULTS = 500;
/** What one vault's guardians do: half of them ask twice. */
const RECOVERIES = 1000;
const STEP = 12 * HOUR;
/** In which everything happens; afterwards all that still waits must end. */
const EVENTFUL = 120 * DAY;
const QUIET = 120 * DAY;
/** What each calendar that is set forward may add to counted time (docs/legacy.md, "Counted time"). */
const LIE = 26 * HOUR;
const WAITS = [7, 14, 30, 90];

/** Numbers that a seed makes: the same at each run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 4294967296;
    return state / 4294967296;
  };
}

interface Vault {
  accountId: number;
  kitId: number;
  shown: { address: string; claim: string };
  waitDays: number;
  /** When its guardians ask, when its owner comes, and when it is removed: steps from the beginning. */
  asksAt: number[];
  comesAt: number[];
  removedAt: number | null;
  /** The truth: since when it was asked for, by the time that has truly passed; null where nobody waits. */
  since: number | null;
  isRemoved: boolean;
  opened: number;
}

async function aVault(watched: Watched, random: () => number, asks: number): Promise<Vault> {
  const { db } = watched.deps;
  const accountId = await watched.anAuthor();
  const fingerprint = randomBytes(8).toString('hex');
  await db
    .insertInto('vault_keys')
    .values({
      ...{
        account_id: accountId,
        generation: 1,
        fingerprint,
        recipient: '',
        verifying_key: fingerprint,
        verifying_key_hash: fingerprint,
        address: fingerprint,
      },
      ...{ signature: '', key_check: '', created_at: 0 },
    } as never)
    .execute();
  // One in five can be told nowhere.
  if (random() < 0.8)
    await db
      .insertInto('warning_addresses')
      .values({
        ...{ account_id: accountId, address: `${accountId}@mail.example`, proved_at: 1 },
        ...{ asked_address: null, asked_message: null },
      })
      .execute();
  const claim = randomBytes(32).toString('base64url');
  const address = aSealId();
  const waitDays = WAITS[Math.floor(random() * WAITS.length)] ?? 14;
  const { id } = await db
    .insertInto('guardian_kits')
    .values({
      ...{ account_id: accountId, details: ciphertext(), seal_id: aSealId(), key_fingerprint: fingerprint },
      ...{ needed: 2, count: 3, wait_days: waitDays, address, wrap: `wrap of ${accountId}`, created_at: 0 },
      claim_hash: createHash('sha256').update(Buffer.from(claim, 'base64url')).digest('base64url'),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const somewhere = () => Math.floor((random() * EVENTFUL) / STEP);
  return {
    ...{ accountId, kitId: id, shown: { address, claim }, waitDays },
    asksAt: Array.from({ length: asks }, somewhere),
    comesAt: random() < 0.4 ? [somewhere(), somewhere()] : [],
    removedAt: random() < 0.1 ? somewhere() : null,
    ...{ since: null, isRemoved: false, opened: 0 },
  };
}

it(
  'of a thousand recoveries none opens early, every sign of life stops one, none outlives its kit, and none waits for ever',
  async () => {
    const random = randomFrom(20260);
    const watched = await aWatchedInstance();
    const { deps, instance } = watched;
    const limits = { ...instance.deps.config.messageLimits, mails: 100_000 };
    Object.assign(instance.deps.config, { messageLimits: limits });
    watched.mail.answer = () =>
      random() < 0.3 ? { refused: 'for-now', alone: true, why: 'Not now.' } : 'accepted';
    const vaults: Vault[] = [];
    for (let i = 0; i < VAULTS; i += 1) vaults.push(await aVault(watched, random, RECOVERIES / VAULTS));
    let passed = 0;
    /** When somebody has set the calendar forward. */
    const set: number[] = [];
    let [asked, stopped, opened, revoked] = [0, 0, 0, 0];

    async function act(vault: Vault, step: number): Promise<void> {
      if (vault.removedAt === step) {
        expect(await removeKit(deps, { accountId: vault.accountId, device: 'a browser' }, vault.kitId)).toBe(
          true,
        );
        vault.isRemoved = true;
      }
      if (vault.comesAt.includes(step)) {
        await watched.stillHere(vault.accountId);
        if (vault.since !== null && !vault.isRemoved) stopped += 1;
        vault.since = null;
        if (!vault.isRemoved && vault.asksAt.some((at) => at < step))
          expect(await askForVault(deps, { ...vault.shown, again: false })).toMatchObject({
            state: 'stopped',
          });
      }
      if (!vault.asksAt.includes(step)) return;
      const answer = await askForVault(deps, { ...vault.shown, again: true });
      if (vault.isRemoved) {
        expect(answer).toBe('not-found');
        revoked += 1;
        return;
      }
      asked += 1;
      if (vault.since === null) {
        expect(answer).toMatchObject({ state: 'waiting' });
        vault.since = passed;
      }
    }

    /** Whatever the switch has ended, and what a look at the others answers. */
    async function check(): Promise<void> {
      const ended = await deps.db
        .selectFrom('guardian_kits')
        .select(['id', 'warning_accepted', 'asked_counted'])
        .where('ended_at', 'is not', null)
        .execute();
      const { counted_time } = await watched.clock();
      for (const { id, warning_accepted, asked_counted } of ended) {
        const vault = vaults.find(({ kitId }) => kitId === id);
        if (!vault) throw new Error('there is no such vault');
        expect(vault.since, 'somebody waits').not.toBeNull();
        expect(vault.isRemoved).toBe(false);
        const since = vault.since ?? passed;
        const lies = set.filter((at) => at >= since).length * LIE;
        expect(passed - since, 'never early').toBeGreaterThanOrEqual(vault.waitDays * DAY - lies);
        const late = counted_time - (asked_counted ?? 0) - vault.waitDays * DAY;
        if (warning_accepted === null) expect(late, 'untold').toBeGreaterThanOrEqual(14 * DAY);
        else expect(counted_time - warning_accepted, 'told').toBeGreaterThanOrEqual(DAY);
        if (vault.opened > 0 && vault.opened >= (vault.since ?? 0)) continue;
        const answer = await askForVault(deps, { ...vault.shown, again: false });
        expect(answer).toEqual({ state: 'open', remaining: null, wrap: `wrap of ${vault.accountId}` });
        vault.opened = passed;
        opened += 1;
      }
      const one = vaults[Math.floor(random() * vaults.length)];
      // Of a kit that nobody has asked for, a look would be asking.
      if (!one || (one.since === null && !one.isRemoved) || ended.some(({ id }) => id === one.kitId)) return;
      const answer = await askForVault(deps, { ...one.shown, again: false });
      if (one.isRemoved) expect(answer).toBe('not-found');
      else expect(answer).toMatchObject({ state: 'waiting', wrap: null });
    }

    for (let step = 0; step * STEP < EVENTFUL; step += 1) {
      for (const vault of vaults) await act(vault, step);
      const away = random() < 0.05 ? Math.floor(random() * 60) * HOUR : 0;
      if (away > 0) {
        watched.sleep(away);
        await watched.server.tick();
      }
      if (random() < 0.01) {
        watched.setCalendar(Math.floor(random() * 90) * HOUR);
        set.push(passed);
      }
      await watched.live(STEP, { deliver: true, tick: STEP });
      passed += STEP + away;
      await check();
    }
    expect(stopped).toBeGreaterThan(50);
    expect(revoked).toBeGreaterThan(20);
    await watched.live(QUIET, { deliver: true, tick: 18 * HOUR });
    passed += QUIET;
    await check();
    const waiting = vaults.filter(({ since, isRemoved }) => since !== null && !isRemoved);
    expect(waiting.filter((vault) => vault.opened < (vault.since ?? 0))).toEqual([]);
    expect(asked + revoked).toBeGreaterThanOrEqual(RECOVERIES * 0.99);
    expect(opened).toBeGreaterThan(200);
    await watched.close();
  },
  4 * MINUTE,
);

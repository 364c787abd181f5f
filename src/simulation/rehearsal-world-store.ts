// Two servers that live through the same months with the same letters: at one of them the letters are rehearsed, with a
// fault in each rehearsal, and at the other they never are. Whatever decides a release must be the same at both.
import { createHash } from 'node:crypto';
import type { Delivery, Letter } from '../server/adapters/transport.ts';
import type { Database } from '../server/db/open.ts';
import { letterWriter } from '../server/deadman/delivery/message-writer.ts';
import { createScroll } from '../server/deadman/routes/scrolls/store.ts';
import { activateScroll } from '../server/deadman/routes/scrolls/watch-store.ts';
import { createDigests } from '../server/digests.ts';
import { DAY, HOUR } from '../shared/time.ts';
import { type Instance, openInstance } from './instance-store.ts';
import { Machine } from './machine.ts';
import type { Fuse } from './mortal.ts';
import * as people from './people-store.ts';
import { createRandom, type Random } from './random.ts';
import { slowRules } from './scenario.ts';
import { type Asked, keptJournal, noLog, type Server, startServer } from './server.ts';

const START = Date.parse('2030-01-01T00:00:00Z');
/** Some months are some hundred ticks. */
export const rules = { ...slowRules, tick: 12 * HOUR, outage: 2 * DAY, drift: 2 * DAY };

/** 32 bytes that are the same whenever they are drawn for the same thing. */
const bytesFor = (what: string) => createHash('sha256').update(what).digest();
const hashOf = (claim: string) =>
  createHash('sha256').update(Buffer.from(claim, 'base64url')).digest('base64url');

export interface Recipient {
  id: number;
  publicId: string;
  address: string;
  access: 'card' | 'passphrase';
  claim: string;
}

export interface WrittenLetter {
  id: number;
  author: number;
  /** What stands in its ciphertext, and nowhere else. */
  marker: string;
  recipients: Recipient[];
}

/** A server with its machine, its database and its people. */
export class Side {
  time = 0;
  readonly mails: Letter[] = [];
  readonly letters: WrittenLetter[] = [];
  /** What becomes of a mail; accepted unless told. */
  answer: (letter: Letter) => Delivery = () => 'accepted';
  server: Server;
  deaths = 0;
  readonly #instance: Instance;
  readonly #machine: Machine;
  readonly #journal = keptJournal();
  readonly #secret = bytesFor('the secret of both');
  #fault: unknown = null;

  private constructor(instance: Instance) {
    this.#instance = instance;
    this.#machine = new Machine(() => this.time, START, { synchronises: true });
    this.server = this.#start();
  }

  static async begin(random: Random): Promise<Side> {
    const side = new Side(await openInstance());
    await side.server.tick();
    await side.#write(random);
    return side;
  }

  get db(): Database {
    return this.#instance.db;
  }

  #start(): Server {
    const config = {
      publicUrl: new URL('https://instance.example'),
      outsideLook: true,
      port: 3000,
      switchResume: 'never' as const,
    };
    return startServer({
      db: this.#instance.db,
      alone: true,
      rules,
      secret: this.#secret,
      journal: this.#journal,
      clocks: this.#machine.startProcess(),
      sms: () => false,
      carry: (letter) => {
        const answer = this.answer(letter);
        if (answer === 'accepted') this.mails.push(letter);
        return answer;
      },
      write: letterWriter({ config, digests: createDigests(this.#secret), rules }),
      onError: (error) => {
        this.#fault ??= error;
      },
    });
  }

  /** Its process ends, and another begins at once. */
  restart(): void {
    this.server = this.#start();
  }

  /** Time passes to the next tick, with what follows it. */
  async tick(): Promise<void> {
    this.time += rules.tick;
    await this.server.tick();
    await this.deliver();
  }

  async deliver(): Promise<void> {
    await this.server.deliver();
    this.#throwFault();
  }

  /** Somebody asks something of the server. Null where it died of it. */
  async ask<T>(work: (deps: Asked) => Promise<T>): Promise<T | null> {
    const answer = await this.server.serve(work);
    this.#throwFault();
    return answer;
  }

  #throwFault(): void {
    if (this.#fault) throw this.#fault;
  }

  /** Lets the server die in what follows, once it has passed a point so often. */
  async dyingAt(fuse: Fuse, work: () => Promise<void>): Promise<boolean> {
    this.server.mortal.fuse = fuse;
    await work();
    const died = this.server.mortal.dead;
    this.server.mortal.fuse = null;
    if (died) this.deaths += 1;
    return died;
  }

  async #write(random: Random): Promise<void> {
    for (let i = 0; i < 4; i += 1) {
      const deps = { db: this.db, now: () => START, log: noLog };
      const author = await people.addAuthor(deps, `author-${i}`, null);
      const proved = { account_id: author, address: `author-${i}@example.org`, proved_at: START };
      await this.db
        .insertInto('warning_addresses')
        .values({ ...proved, asked_address: null, asked_message: null })
        .execute();
      for (let k = 0; k < 4; k += 1) await this.#writeLetter(author, `letter-${i}-${k}`, random);
    }
  }

  async #writeLetter(author: number, name: string, random: Random): Promise<void> {
    const marker = bytesFor(`words of ${name}`).toString('base64');
    const drawn = Array.from({ length: random.whole(1, 3) }, (_, i) => {
      const of = `${name}-${i}`;
      return {
        publicId: bytesFor(`number of ${of}`).subarray(0, 16).toString('base64url'),
        address: `${of}@mail.example`,
        access: random.chance(0.5) ? ('card' as const) : ('passphrase' as const),
        claim: bytesFor(`claim of ${of}`).toString('base64url'),
        tell: i === 2 ? ('if-unopened' as const) : ('at-release' as const),
      };
    });
    const days = random.whole(20, 80);
    const warning = random.chance(0.5) ? 'mail' : 'dashboard';
    await this.ask(async (deps) => {
      const scroll = await createScroll(deps, author, {
        title: `title of ${marker}`,
        encryptedContent: marker,
        triggerType: 'inactivity',
        triggerValue: String(days),
        sealId: bytesFor(`seal of ${name}`).subarray(0, 16).toString('base64url'),
        recipients: drawn.map(({ publicId, address, access, claim, tell }) => ({
          ...{ publicId, tell, recipientType: 'email' as const, recipientAddress: address },
          access: {
            ...{ claimHash: hashOf(claim), wrappedKey: `wrapped for ${address}` },
            ...(access === 'card'
              ? { kind: access, cardNumber: publicId }
              : {
                  kind: access,
                  stretching: { salt: publicId, memory: 65536, iterations: 3, parallelism: 1 },
                }),
          },
        })),
      });
      if (typeof scroll === 'string') throw new Error(scroll);
      const watching = await activateScroll(deps, author, scroll.id, { handedOver: true, warning });
      if (typeof watching === 'string') throw new Error(watching);
      const recipients = drawn.map((one, i) => ({ ...one, id: scroll.recipients[i]?.id ?? 0 }));
      this.letters.push({ id: scroll.id, author, marker, recipients });
    });
  }

  /** All that decides a release, and all that it does. What rehearsals write is left out. */
  async decisive(): Promise<unknown> {
    const { db } = this;
    const without = (rows: readonly object[], ...columns: string[]) =>
      rows.map((row) =>
        Object.fromEntries(Object.entries(row).filter(([column]) => !columns.includes(column))),
      );
    const scrolls = await db.selectFrom('legacy_scrolls').selectAll().orderBy('id').execute();
    const messages = await db
      .selectFrom('messages')
      .selectAll()
      .where('kind', 'not in', ['rehearsal', 'rehearsal-due'])
      .orderBy('id')
      .execute();
    return {
      scrolls: without(scrolls, 'rehearsal_sentence', 'rehearse_at'),
      recipients: await db.selectFrom('scroll_recipients').selectAll().orderBy('id').execute(),
      lives: await db.selectFrom('last_activity').selectAll().orderBy('account_id').execute(),
      clock: without(await db.selectFrom('instance_clock').selectAll().execute(), 'identity'),
      // Their order tells what the numbers do; which rehearsals stand between them does not matter.
      messages: without(messages, 'id', 'public_id'),
    };
  }

  end(): Promise<void> {
    return this.db.destroy();
  }
}

/** The same people, letters and chances at both. */
export async function beginBoth(seed: number): Promise<{ rehearsed: Side; spared: Side }> {
  return { rehearsed: await Side.begin(createRandom(seed)), spared: await Side.begin(createRandom(seed)) };
}

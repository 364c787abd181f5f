// What the lies are told about: two vaults on one server, each with something in every list, and each known as it was some
// time ago as well. Everything is put there by calls, once.
import { toBase64Url } from '../../../crypto/base64.ts';
import {
  deriveShare,
  newShareSecret,
  proofHash,
  shareSalt,
  shareSecretToText,
} from '../../../crypto/claim.ts';
import { deriveIdentity, vaultAddress } from '../../../crypto/identity.ts';
import { PASSPHRASE_PARAMS } from '../../../crypto/passphrase.ts';
import {
  deriveCard,
  deriveCardKey,
  deriveContentKey,
  deriveLetterKey,
  deriveScrollPassphrase,
  newCardNumber,
  newRecipientNumber,
  newScrollKey,
  scrollKeyToText,
  wrapLetterKey,
} from '../../../crypto/scroll.ts';
import { newSealId, seal } from '../../../crypto/seal.ts';
import { sealWhisper } from '../../../crypto/whisper.ts';
import type { Scroll } from '../../../shared/nouns/legacy.ts';
import type { KindName } from '../../../shared/sealed-kinds.ts';
import { DAY, HOUR, MINUTE } from '../../../shared/time.ts';
import { makeAdministrator } from '../../../testing/people.ts';
import { pressPath } from '../../../testing/scrolls.ts';
import type { Watched } from '../../../testing/switch.ts';
import { anOwner, aWallet, linkWalletOf, plantHolders } from '../../../testing/wallets.ts';
import { saveBookPin } from '../../vault/device/pin-slot.ts';
import { derivePassphraseSecret } from '../../vault/key/passphrase-secret.ts';
import { stretchPassphrase } from '../../vault/key/stretch-passphrase.ts';
import { openBrowser } from '../browser.tsx';
import { aDevice, type Device } from '../devices.ts';
import { asPerson, enterAsMember, type Member } from '../member.ts';
import { answeringCalls } from './fields.ts';
import type { Json } from './kinds.ts';

export const PASSPHRASE = 'plum cake on a stone wall';

/** One of the two vaults, and what journeys have to know of it. */
export interface Inhabitant {
  member: Member;
  address: string;
  /** The address of the other vault. */
  friend: string;
  /** The number in the address of the newest entry of each list. */
  newest: { memory: string; relationship: string; myth: string };
  /** A one-time link, and one that asks for `PASSPHRASE` as well. */
  link: string;
  guardedLink: string;
  /** The cards of a letter that was released, and of one that waits. */
  card: string;
  waitingCard: string;
  /** Where a letter was released that opens by `PASSPHRASE`. */
  guardedLetter: string;
  /** Where warnings go, once somebody has asked for it. */
  warningAddress: string;
  /** What the calls without a number in their path answered some time ago. */
  past: ReadonlyMap<string, Json>;
  /** What is done in another of their browsers. */
  elsewhere: Elsewhere;
}

type ChangedKind = 'memory' | 'relationship' | 'myth';

interface Elsewhere {
  /** Changes the newest entry of a kind. */
  change(kind: ChangedKind): Promise<void>;
  /** The link that stands in the mail to a warning address. */
  warningLink(): Promise<string>;
}

export interface World {
  her: Inhabitant;
  other: Inhabitant;
  /** Keeps nothing here. */
  administrator: Inhabitant;
}

/** What is different in the two vaults, so that each word says whose it is. */
interface Voice {
  name: string;
  memory: string;
  person: string;
  myth: string;
  letter: string;
}

const VOICES = {
  her: { name: 'hers', memory: 'The orchard', person: 'Nora', myth: 'The bell-founder', letter: 'For Agnes' },
  other: { name: 'his', memory: 'The harbour', person: 'Ivo', myth: 'The pilot', letter: 'For Tomas' },
} satisfies Record<string, Voice>;

interface Row {
  id: number;
  sealId: string;
  version: number;
}

const details = (day: string, ...tags: string[]) => JSON.stringify({ happenedOn: day, tags });

async function change(
  { call, sealed, fingerprint }: Member,
  path: string,
  kind: KindName,
  { id, sealId, version }: Row,
  texts: Record<string, string>,
  clear: object = {},
): Promise<void> {
  const fields = await sealed(kind, sealId, texts, { ...clear, version: version + 1 });
  await call('PATCH', `${path}/${id}`, { ...fields, ...clear, version, keyFingerprint: fingerprint });
}

/** Seals an entry under a one-time link, as its owner's browser does. */
async function leaveLink(
  { call, sealed, fingerprint }: Member,
  entryId: number,
  words: object & { title: string },
  passphrase: string | null,
): Promise<string> {
  const key = await call<{ id: number; keyId: string; expiresAt: string }>('POST', '/api/shareable-keys', {
    entryType: 'memory',
    entryId,
  });
  const secret = newShareSecret();
  const text = shareSecretToText(secret);
  const stretched =
    passphrase === null
      ? null
      : await stretchPassphrase(passphrase, await shareSalt(secret), PASSPHRASE_PARAMS);
  const { door, claim, contentKey } = await deriveShare(secret, stretched);
  const sealId = newSealId();
  const context = { kind: 'share', field: 'encryptedContent', sealId: key.keyId };
  await call('PUT', `/api/shareable-keys/${key.id}/seal`, {
    encryptedContent: await seal(
      JSON.stringify({ v: 1, entryType: 'memory', ...words }),
      contentKey,
      context,
    ),
    doorHash: await proofHash(door),
    claimHash: await proofHash(claim),
    stretching: stretched && PASSPHRASE_PARAMS,
    ...(await sealed(
      'sacred-key',
      sealId,
      { encryptedSecret: JSON.stringify({ secret: text, title: words.title }) },
      { entryType: 'memory', expiresAt: key.expiresAt, hasPassphrase: passphrase !== null },
    )),
    sealId,
    keyFingerprint: fingerprint,
  });
  return `/share/${key.keyId}#${text}`;
}

interface LetterOptions {
  title: string;
  content: string;
  /** Without it, it is released by hand alone. */
  days?: number;
  /** To another vault, or to whoever knows this; without either, to whoever holds its card. */
  to?: { address: string; member: Member };
  passphrase?: string;
}

/** Leaves a letter that watches. Returns its number, and the address of its card. */
async function leaveLetter(
  { call, key, sealed, fingerprint }: Member,
  { title, content, days, to, passphrase }: LetterOptions,
): Promise<{ id: number; card: string; row: Scroll }> {
  const [scrollKey, sealId, cardNumber] = [newScrollKey(), newSealId(), newCardNumber()];
  const letterKey = await deriveLetterKey(scrollKey);
  const letter = { v: 1, title, content, createdAt: new Date().toISOString(), authorName: null };
  const encryptedContent = await seal(JSON.stringify(letter), await deriveContentKey(letterKey), {
    kind: 'legacy-scroll',
    field: 'encryptedContent',
    sealId,
  });
  const cardKey = await deriveCardKey(scrollKey, cardNumber);
  const access = async () => {
    if (to) {
      const [sender, recipient] = [await deriveIdentity(key), await deriveIdentity(to.member.key)];
      const envelope = await sealWhisper({ letterKey, encryptedContent, sealId, sender, recipient });
      return { kind: 'vault', envelope };
    }
    const salt = crypto.getRandomValues(new Uint8Array(16));
    const { claim, wrapKey } = passphrase
      ? await deriveScrollPassphrase(await stretchPassphrase(passphrase, salt, PASSPHRASE_PARAMS))
      : await deriveCard(cardKey);
    return {
      ...(passphrase
        ? { kind: 'passphrase', stretching: { salt: toBase64Url(salt), ...PASSPHRASE_PARAMS } }
        : { kind: 'card', cardNumber }),
      claimHash: await proofHash(claim),
      wrappedKey: await wrapLetterKey(letterKey, wrapKey, sealId),
    };
  };
  const chosen = {
    triggerType: days === undefined ? 'manual' : 'inactivity',
    triggerValue: days === undefined ? 'manual' : String(days),
    timeZone: 'UTC',
    authorName: 'Somebody',
  };
  const reached = to
    ? { recipientType: 'whisper', recipientAddress: to.address, tell: 'at-release' }
    : { recipientType: 'email', recipientAddress: 'agnes@example.org', tell: 'at-release' };
  const given = await access();
  const number = { ...reached, publicId: newRecipientNumber() };
  const bound = { ...number, access: given.kind, cardNumber: given.kind === 'card' ? cardNumber : null };
  const ownKey = {
    v: 1,
    key: scrollKeyToText(scrollKey),
    names: { [number.publicId]: 'Agnes' },
    signedAs: null,
  };
  const own = { title, encryptedScrollKey: JSON.stringify(ownKey) };
  const row = await call<Scroll>('POST', '/api/legacy-scrolls', {
    ...(await sealed('legacy-scroll', sealId, own, { ...chosen, version: 1, recipients: [bound] })),
    ...chosen,
    recipients: [{ ...number, access: given }],
    encryptedContent,
    sealId,
    keyFingerprint: fingerprint,
  });
  const publicId = row.recipients[0]?.publicId ?? '';
  return { id: row.id, card: `/legacy/${publicId}#${scrollKeyToText(cardKey)}`, row };
}

const activate = ({ call }: Member, id: number) =>
  call('POST', `/api/legacy-scrolls/${id}/activate`, { handedOver: true, warning: 'dashboard' });
const release = ({ call }: Member, id: number) => call('POST', `/api/legacy-scrolls/${id}/release`, {});

/** What every call of a list or of a whole answers now. */
async function answersNow({ browser }: Member): Promise<Map<string, Json>> {
  const answers = new Map<string, Json>();
  for (const { name, row } of answeringCalls) {
    if (row.method !== 'GET' || row.path.includes('{') || row.text || row.access === 'admin') continue;
    const answer = await browser.network.fetch(row.path, { method: 'GET' });
    if (answer.ok) answers.set(name, (await answer.json()) as Json);
  }
  return answers;
}

async function addressOf({ key }: Member): Promise<string> {
  const { recipient, verifyingKey } = await deriveIdentity(key);
  return vaultAddress(recipient, verifyingKey);
}

type Filled = Omit<Inhabitant, 'past' | 'elsewhere'> & { rows: Record<ChangedKind, Row> };

/** Puts something into every list of a vault. */
async function fill(
  member: Member,
  voice: Voice,
  watched: Watched,
  friend: { address: string; member: Member },
): Promise<Filled> {
  const { call, postSealed } = member;
  const { instance } = watched;
  const memory = (title: string, content: string, clear: object = {}) =>
    postSealed<Row>(
      '/api/memory-entries',
      'memory',
      { title, encryptedContent: content, details: details('2029-05-17', voice.name, 'kept') },
      clear,
    );
  const moment = (name: string, content: string, clear: object) =>
    postSealed<Row>(
      '/api/relationship-entries',
      'relationship',
      { personName: name, encryptedContent: content, details: details('2029-04-02', voice.name) },
      clear,
    );
  const myth = (title: string, content: string, storyType: string) =>
    postSealed<Row>(
      '/api/myth-stories',
      'myth',
      { title, encryptedContent: content, details: details('2028-01-01', voice.name) },
      { storyType },
    );
  const ghost = (content: string, maxReads: number | null, hours: number) =>
    postSealed<Row>(
      '/api/ghost-entries',
      'ghost',
      { encryptedContent: content },
      { maxReads, expiresAt: new Date(instance.clock.now() + hours * HOUR).toISOString() },
    );
  const gone = await memory('Thrown away', `Nobody misses it, ${voice.name}.`);
  const goneMoment = await moment('Somebody', `Long ago, ${voice.name}.`, {
    eventType: 'ending',
    emotionalWeight: 1,
  });
  const goneMyth = await myth('A draft', `It went nowhere, ${voice.name}.`, 'biography');
  await memory('For later', `Not yet, ${voice.name}.`, {
    timeLockUntil: new Date(instance.clock.now() + 300 * DAY).toISOString(),
  });
  const second = await memory('The ferry', `It was the last one that night, ${voice.name}.`);
  instance.clock.advance(MINUTE);
  const first = await memory(voice.memory, `Ladders against every tree, ${voice.name}.`);
  await moment('Marta', `We danced in the kitchen, ${voice.name}.`, {
    eventType: 'moment',
    emotionalWeight: 5,
  });
  const firstMoment = await moment(voice.person, `It was said on the ferry, ${voice.name}.`, {
    eventType: 'confession',
    emotionalWeight: 3,
  });
  await myth('The river', `It ran uphill, ${voice.name}.`, 'eulogy');
  const firstMyth = await myth(voice.myth, `The bell cracked, ${voice.name}.`, 'biography');
  await ghost(`A thought that stays a while, ${voice.name}.`, null, 24);
  await ghost(`A thought to be read three times, ${voice.name}.`, 3, 6);
  await postSealed('/api/final-breath', 'breath', {
    encryptedContent: `Under the third stone, ${voice.name}.`,
  });
  const words = {
    title: voice.memory,
    content: `Ladders against every tree, ${voice.name}.`,
    createdAt: '2030-05-01T10:00:00.000Z',
  };
  const guardedLink = await leaveLink(member, second.id, { ...words, title: 'The ferry' }, PASSPHRASE);
  const link = await leaveLink(member, first.id, words, null);
  const waiting = await leaveLetter(member, {
    title: voice.letter,
    content: `Still here, ${voice.name}.`,
    days: 30,
  });
  await activate(member, waiting.id);
  const released = await leaveLetter(member, { title: 'Read this now', content: `The key, ${voice.name}.` });
  await activate(member, released.id);
  await release(member, released.id);
  const guarded = await leaveLetter(member, {
    title: 'Whoever knows',
    content: `The word, ${voice.name}.`,
    passphrase: PASSPHRASE,
  });
  await activate(member, guarded.id);
  await release(member, guarded.id);
  for (const title of ['A word to you', 'Another word']) {
    const whisper = await leaveLetter(member, { title, content: `Between us, ${voice.name}.`, to: friend });
    await activate(member, whisper.id);
    await release(member, whisper.id);
  }
  await leaveLetter(member, { title: 'Not handed over', content: `A card, ${voice.name}.`, days: 60 });
  await call('DELETE', `/api/memory-entries/${gone.id}`);
  await call('DELETE', `/api/relationship-entries/${goneMoment.id}`);
  await call('DELETE', `/api/myth-stories/${goneMyth.id}`);
  return {
    member,
    address: await addressOf(member),
    warningAddress: `${voice.name}@example.org`,
    friend: friend.address,
    newest: { memory: first.sealId, relationship: firstMoment.sealId, myth: firstMyth.sealId },
    link,
    guardedLink,
    guardedLetter: guarded.card.replace(/#.*/, ''),
    card: released.card,
    waitingCard: waiting.card,
    rows: { memory: first, relationship: firstMoment, myth: firstMyth },
  };
}

/** Changes one entry, as it is now. */
async function changeOne(
  { member, rows }: Filled,
  voice: Voice,
  kind: ChangedKind,
  day: string,
): Promise<void> {
  const [path, names, clear] = {
    memory: ['/api/memory-entries', { title: `${voice.memory}, again` }, {}],
    relationship: [
      '/api/relationship-entries',
      { personName: voice.person },
      { eventType: 'forgiveness', emotionalWeight: 4 },
    ],
    myth: ['/api/myth-stories', { title: `${voice.myth}, again` }, { storyType: 'eulogy' }],
  }[kind] as [string, Record<string, string>, object];
  const row = await member.call<Row>('GET', `${path}/${rows[kind].id}`);
  const texts = {
    ...names,
    encryptedContent: `Changed since, ${voice.name}.`,
    details: details(day, 'changed'),
  };
  await change(member, path, kind, row, texts, clear);
}

const CHANGED: readonly ChangedKind[] = ['memory', 'relationship', 'myth'];

/** Changes what can be changed, after some time. */
async function changeAll(filled: Filled, voice: Voice): Promise<void> {
  for (const kind of CHANGED) await changeOne(filled, voice, kind, '2029-06-01');
}

/** Proves once more who it is, and begins a second session, as on a telephone. */
async function enterAgain({ call, user, browser }: Member, watched: Watched): Promise<void> {
  const name = user.name ?? '';
  const stretching = await call<Parameters<typeof derivePassphraseSecret>[2]>(
    'POST',
    '/api/gate/passphrase/salt',
    { name },
  );
  const { authKey } = await derivePassphraseSecret(PASSPHRASE, name, stretching);
  await call('POST', '/api/proof/passphrase', { authKey });
  await openBrowser(watched.instance).network.fetch('/api/gate/passphrase/enter', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name, authKey }),
  });
  await browser.network.idle();
}

/** Takes what was changed into the book. */
async function takeInAll(device: Device): Promise<void> {
  await device.check();
  await device.bookSync.adopt(device.found());
  const found = await device.check();
  if (found.length > 0) throw new Error(`the book does not have what there is: ${found.join(', ')}`);
}

/** Leaves in this browser what a device has seen last of the book. */
function leavePin({ bookSync, memory, vault }: Device): void {
  bookSync.confirm();
  const pin = memory.loadPin();
  if (!pin) throw new Error('the device has seen no book');
  saveBookPin(vault.user.id, pin);
}

function elsewhereOf(filled: Filled, voice: Voice, { instance }: Watched, device: Device): Elsewhere {
  return {
    async change(kind) {
      await changeOne(filled, voice, kind, '2029-07-01');
      await takeInAll(device);
    },
    async warningLink() {
      const { public_id } = await instance.deps.db
        .selectFrom('messages')
        .select('public_id')
        .where('kind', '=', 'prove-address')
        .where('address', '=', filled.warningAddress)
        .executeTakeFirstOrThrow();
      return pressPath(instance, public_id);
    },
  };
}

/** Somebody who looks after the server, and has a wallet with enough of the token, of whose holders there are thirteen. */
async function anAdministrator({ instance }: Watched): Promise<Member> {
  const member = await enterAsMember(instance);
  await makeAdministrator(instance, member);
  const wallet = aWallet(new Uint8Array(32).fill(13));
  const others = Array.from({ length: 12 }, (_, i) => [anOwner(i), 4_000 - i] as const);
  await plantHolders(instance, [[wallet.key, 5_000], ...others]);
  await linkWalletOf(asPerson(instance, member), wallet);
  return member;
}

export async function aWorld(watched: Watched): Promise<World> {
  const { instance } = watched;
  const [her, other] = [
    await enterAsMember(instance, { passphrase: PASSPHRASE }),
    await enterAsMember(instance, { passphrase: PASSPHRASE }),
  ];
  const [herAddress, otherAddress] = [await addressOf(her), await addressOf(other)];
  const filled = {
    her: await fill(her, VOICES.her, watched, { address: otherAddress, member: other }),
    other: await fill(other, VOICES.other, watched, { address: herAddress, member: her }),
  };
  await watched.server.deliver();
  const devices = { her: aDevice(instance, her), other: aDevice(instance, other) };
  for (const { bookSync } of Object.values(devices)) await bookSync.acceptAsShown();
  const past = { her: await answersNow(her), other: await answersNow(other) };
  await watched.live(HOUR, { deliver: true });
  async function inhabitant(who: 'her' | 'other'): Promise<Inhabitant> {
    const [own, voice, device] = [filled[who], VOICES[who], devices[who]];
    await changeAll(own, voice);
    await enterAgain(own.member, watched);
    await takeInAll(device);
    leavePin(device);
    return { ...own, past: past[who], elsewhere: elsewhereOf(own, voice, watched, device) };
  }
  const [hers, his] = [await inhabitant('her'), await inhabitant('other')];
  return { her: hers, other: his, administrator: { ...hers, member: await anAdministrator(watched) } };
}

// How the frozen vectors were made: the second implementation over fixed inputs, so that none of the code under test
// vouches for itself. Nothing runs this but a person who adds a format; `vectors/README.md` says how.
import { argon2id } from '@noble/hashes/argon2.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { base64, base64urlnopad, hex } from '@scure/base';
import * as stranger from './reference.ts';
import { sealFileAs } from './reference-file.ts';
import {
  kitAs,
  kitNumberAs,
  sheetTextAs,
  sheetWordsAs,
  splitAs,
  wrapUnderKitAs,
} from './reference-sheets.ts';
import { sealAddressesAs, sisterLetterAs, sisterTokenAs } from './reference-sisters.ts';

/** `length` bytes that count upwards from `first`. */
const counting = (length: number, first: number) => Uint8Array.from({ length }, (_, i) => (first + i) & 0xff);

const KEYS = [new Uint8Array(32), counting(32, 0), new Uint8Array(32).fill(0xff)];
const KEY = counting(32, 0);
const NEXT_KEY = counting(32, 0x20);
const SEAL_ID = base64urlnopad.encode(counting(16, 0x40));
const SALT = counting(16, 0x80);

const TEXTS = [
  '',
  'a',
  'What nobody may read.',
  '\ufeffa byte-order mark is a character too',
  'Žluťoučký kůň 🕯️ 記憶',
  'x'.repeat(255),
  'x'.repeat(256),
  'ends with the padding byte \u0080',
];

const IMPORTS = [
  { format: 'day-one', sourceId: '1546F37361264E129200B2CA6A885855' },
  { format: 'telegram', sourceId: 'Žofie 🕯️/2023-12-31#x' },
  { format: 'a', sourceId: '' },
];

const AT = { createdAt: '2026-01-13T09:30:00.000Z', updatedAt: '2026-11-23T18:05:12.345Z' };

/** A row of each kind, sealed with what its author chose; details of a moment with its kind and weight in them. */
const ROWS: { kind: string; field: string; bound: string[]; says?: string }[] = [
  { kind: 'memory', field: 'encryptedContent', bound: ['1', ''] },
  { kind: 'memory', field: 'details', bound: ['3', '2027-05-03T00:00:00.000Z'] },
  { kind: 'memory', field: 'arrived/title', bound: ['1', ''] },
  { kind: 'relationship', field: 'personName', bound: ['2', 'betrayal', '5'] },
  { kind: 'myth', field: 'title', bound: ['1', 'eulogy'] },
  { kind: 'onboarding', field: 'question1', bound: [] },
  { kind: 'sacred-key', field: 'encryptedSecret', bound: ['memory', '2026-01-20T09:30:00.000Z', 'true'] },
  { kind: 'webhook', field: 'name', bound: [] },
  {
    kind: 'legacy-scroll',
    field: 'title',
    bound: [
      ...['4', 'inactivity', '30', 'Europe/Vienna', '\u00c1gnes'],
      '[["email","mira@mail.example","at-release","card","EBESExQVFhcYGRobHB0eHw","ICEiIyQlJicoKSorLC0uLw"],["card","card","if-unopened","none",null,"MDEyMzQ1Njc4OTo7PD0-Pw"]]',
    ],
  },
  { kind: 'ghost', field: 'encryptedContent', bound: ['', '2026-01-14T09:30:00.000Z'] },
  { kind: 'breath', field: 'encryptedContent', bound: [] },
  {
    ...{ kind: 'relationship', field: 'details', bound: ['1', 'moment', '3'] },
    says: '{"emotionalWeight":5,"eventType":"betrayal","happenedOn":"2019-05-17","v":1}',
  },
];

/** Every vector file's text, by name without `.json`. In ASCII, so that no editor can normalise a character. */
export function makeVectorFiles(): Record<string, string> {
  const escaped = (c: string) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return Object.fromEntries(
    Object.entries(makeVectors()).map(([name, vectors]) => [
      name,
      `${JSON.stringify(vectors, null, 2).replace(/[\u007f-\uffff]/g, escaped)}\n`,
    ]),
  );
}

function makeVectors(): Record<string, unknown> {
  return {
    'vault-key': KEYS.map((key) => ({
      key: hex.encode(key),
      fingerprint: stranger.fingerprint(key),
      contentKey: hex.encode(stranger.derive(key, 'latebra/v1/content-key')),
      ageIdentitySeed: hex.encode(stranger.derive(key, 'latebra/v1/age-identity')),
      signingKeySeed: hex.encode(stranger.derive(key, 'latebra/v1/signing-key')),
    })),
    seal: TEXTS.map((text, index) => {
      const context = { kind: 'memory', field: 'content', sealId: SEAL_ID };
      return {
        key: hex.encode(KEY),
        context,
        text,
        sealed: stranger.sealAs(text, KEY, context, counting(12, index)),
      };
    }),
    'seal-facts': ROWS.map(({ bound, says, ...place }, index) => {
      const context = { ...place, sealId: SEAL_ID };
      const facts = { bound, ...AT };
      const text = says ?? TEXTS[index % TEXTS.length] ?? '';
      const sealed = stranger.sealAs(text, KEY, context, counting(12, 0x20 + index), facts);
      return { key: hex.encode(KEY), context, facts, text, sealed };
    }),
    'import-number': KEYS.flatMap((key) =>
      IMPORTS.map(({ format, sourceId }) => ({
        key: hex.encode(key),
        format,
        sourceId,
        sealId: stranger.importNumberAs(key, format, sourceId),
      })),
    ),
    'book-entry': makeBook(),
    'book-leaf': makeLeaves(),
    'book-words': [1, 812, 2 ** 31 - 1].map((n) => {
      const hash = base64urlnopad.encode(counting(32, n & 0xff));
      return { n, hash, words: stranger.bookWordsAs(n, hash) };
    }),
    file: [0, 5, 65_536, 65_537, 1_048_576, 1_048_577, 3_000_000].map(makeFile),
    passphrase: [makePassphrase()],
    wrap: makeWraps(),
    identity: [makeIdentity()],
    'client-key': [
      { key: hex.encode(KEY), before: null, clientKey: stranger.clientKeyAs(KEY, counting(12, 0x10)) },
      {
        key: hex.encode(NEXT_KEY),
        before: hex.encode(KEY),
        clientKey: stranger.clientKeyAs(NEXT_KEY, counting(12, 0x10), 2, KEY),
      },
    ],
    share: [makeShare(null), makeShare('a candle on the sill')],
    'key-ring': [{ key: hex.encode(KEY), ...makeKeyRing() }],
    archive: [makeArchive()],
    scroll: [makeScroll()],
    whisper: [makeWhisper()],
    'guardian-kit': [makeKit(2, [1, 94, 255]), makeKit(3, [7, 3, 201, 128, 44])],
    'sister-letter': makeSisterLetter(),
    'sealed-box': ['', 'The Well', '\u017dlu\u0165ou\u010dk\u00fd \ud83d\udd6f\ufe0f \u0080'].map(
      makeSealedBox,
    ),
  };
}

function makeKeyRing() {
  const stayed = [counting(16, 0xa0), counting(16, 0xf8)].map((id) => base64urlnopad.encode(id));
  const keys = [
    { key: KEYS[0] as Uint8Array, stayed: [] },
    { key: KEYS[2] as Uint8Array, stayed },
  ];
  return {
    keys: keys.map((one) => ({ ...one, key: hex.encode(one.key) })),
    keyRing: stranger.keyRingAs(keys, KEY, SEAL_ID, counting(12, 0x70)),
  };
}

function makePassphrase() {
  const passphrase = '  \uff23orrect horse \ufb01fty-five e\u0301  ';
  const normalised = 'Correct horse fifty-five \u00e9';
  const params = { memory: 65536, iterations: 3, parallelism: 1 };
  const serverPart = base64urlnopad.encode(SALT);
  const binding = { origin: 'https://vault.example.org', name: '\u00e1gnes of the lake' };
  const salt = stranger.bindSaltAs(serverPart, binding);
  const stretched = argon2id(utf8ToBytes(normalised), salt, { m: 65536, t: 3, p: 1, dkLen: 32 });
  const { authKey, wrapSecret } = stranger.splitAs(stretched);
  return {
    passphrase,
    normalised,
    serverPart,
    ...binding,
    salt: hex.encode(salt),
    params,
    stretched: hex.encode(stretched),
    authKey,
    wrapSecret: hex.encode(wrapSecret),
  };
}

function makeShare(passphrase: string | null) {
  const secret = counting(32, 0xa0);
  const keyId = base64urlnopad.encode(counting(16, 0xd0));
  const params = { memory: 65536, iterations: 3, parallelism: 1 };
  const { salt } = stranger.shareAs(secret, null);
  const stretched =
    passphrase && argon2id(utf8ToBytes(passphrase), salt, { m: 65536, t: 3, p: 1, dkLen: 32 });
  const share = stranger.shareAs(secret, stretched || null);
  const content = JSON.stringify({
    v: 1,
    entryType: 'memory',
    title: 'The well',
    content: 'It was never dry.',
    createdAt: '2026-01-13T00:00:00.000Z',
  });
  return {
    secret: hex.encode(secret),
    passphrase,
    ...(stretched && { params, stretched: hex.encode(stretched) }),
    ...share,
    salt: hex.encode(share.salt),
    contentKey: hex.encode(share.contentKey),
    keyId,
    content,
    encryptedContent: stranger.sealShareAs(content, share.contentKey, keyId, counting(12, 0xe0)),
  };
}

const LETTER = JSON.stringify({
  v: 1,
  title: 'The well',
  content: 'It was never dry.',
  createdAt: '2026-01-13T00:00:00.000Z',
});

function makeScroll() {
  const scrollKey = counting(32, 0xa0);
  const { letterKey, contentKey, letterText, text } = stranger.scrollAs(scrollKey);
  const passphrase = 'a candle on the sill';
  const params = { memory: 65536, iterations: 3, parallelism: 1 };
  const stretched = argon2id(utf8ToBytes(passphrase), SALT, { m: 65536, t: 3, p: 1, dkLen: 32 });
  const { wrapKey, ...proof } = stranger.scrollPassphraseAs(stretched);
  const wrapped = (key: Uint8Array, nonce: number) =>
    stranger.sealScrollAs(letterText, key, 'wrappedKey', SEAL_ID, counting(12, nonce));
  const iv = counting(12, 0xe0);
  return {
    scrollKey: hex.encode(scrollKey),
    text,
    letterKey: hex.encode(letterKey),
    contentKey: hex.encode(contentKey),
    sealId: SEAL_ID,
    content: LETTER,
    encryptedContent: stranger.sealScrollAs(LETTER, contentKey, 'encryptedContent', SEAL_ID, iv),
    byCard: [0x10, 0x90].map((first) => {
      const cardNumber = base64urlnopad.encode(counting(16, first));
      const card = stranger.cardAs(scrollKey, cardNumber);
      return {
        cardNumber,
        cardKey: hex.encode(card.cardKey),
        text: card.cardText,
        claim: card.claim,
        claimHash: card.claimHash,
        wrapKey: hex.encode(card.wrapKey),
        wrappedKey: wrapped(card.wrapKey, first),
      };
    }),
    byPassphrase: {
      passphrase,
      stretching: { salt: base64urlnopad.encode(SALT), ...params },
      stretched: hex.encode(stretched),
      ...proof,
      wrapKey: hex.encode(wrapKey),
      wrappedKey: wrapped(wrapKey, 0xf0),
    },
  };
}

function makeWhisper() {
  const { letterKey, contentKey } = stranger.scrollAs(counting(32, 0xa0));
  const [senderKey, recipientKey] = [KEY, counting(32, 0x20)];
  const [sender, recipient] = [stranger.identityAs(senderKey), stranger.identityAs(recipientKey)];
  const iv = counting(12, 0xe0);
  const posted = {
    sealId: SEAL_ID,
    encryptedContent: stranger.sealScrollAs(LETTER, contentKey, 'encryptedContent', SEAL_ID, iv),
  };
  const randomness = { fileKey: counting(16, 0x10), seed: counting(64, 0x60), nonce: counting(16, 0x90) };
  return {
    senderKey: hex.encode(senderKey),
    recipientKey: hex.encode(recipientKey),
    senderAddress: stranger.addressAs(sender.recipient, sender.verifyingKey),
    recipientAddress: stranger.addressAs(recipient.recipient, recipient.verifyingKey),
    letterKey: hex.encode(letterKey),
    ...posted,
    envelope: stranger.whisperAs(letterKey, posted, sender, recipient, randomness),
  };
}

function makeKit(needed: number, places: number[]) {
  const secret = counting(32, 0x30 * needed);
  const coefficients = Array.from({ length: needed - 1 }, (_, row) => counting(32, 0x51 + 0x47 * row));
  const { wrapKey, ...derived } = kitAs(secret);
  return {
    secret: hex.encode(secret),
    kit: kitNumberAs(secret),
    needed,
    coefficients: coefficients.map((row) => hex.encode(row)),
    sheets: splitAs(secret, coefficients, places).map((sheet) => ({
      x: sheet.x,
      share: hex.encode(sheet.share),
      words: sheetWordsAs(sheet).join(' '),
      text: sheetTextAs(sheet),
    })),
    ...derived,
    wrapKey: hex.encode(wrapKey),
    vaultKey: hex.encode(KEY),
    wrap: wrapUnderKitAs(secret, hex.encode(KEY), counting(12, 0xb0)),
  };
}

function makeSealedBox(text: string, index: number) {
  const { recipient } = stranger.identityAs(KEY);
  const context = { kind: 'myth', field: 'encryptedContent', sealId: SEAL_ID };
  const randomness = {
    fileKey: counting(16, 0x10 + index),
    seed: counting(64, 0x60 + index),
    nonce: counting(16, 0x90),
  };
  const sealed = stranger.sealedBoxAs(text, context, recipient, randomness);
  return { key: hex.encode(KEY), recipient, context, text, sealed };
}

function makeWraps() {
  const secret = counting(32, 0x20);
  const ways = [
    { method: 'passkey' as const, params: { credentialId: base64urlnopad.encode(counting(20, 0xc0)) } },
    {
      method: 'passphrase' as const,
      params: { salt: base64urlnopad.encode(SALT), memory: 65536, iterations: 3, parallelism: 1 },
    },
  ];
  return ways.map((way) => ({
    key: hex.encode(KEY),
    secret: hex.encode(secret),
    wrap: stranger.wrapAs(KEY, secret, way, counting(32, 0x60), counting(12, 0x30)),
  }));
}

function makeIdentity() {
  const { sign, ...identity } = stranger.identityAs(KEY);
  const signIn = { origin: 'https://vault.example', nonce: base64urlnopad.encode(counting(32, 0x50)) };
  const message = stranger.tuple(signIn.origin, signIn.nonce);
  return {
    key: hex.encode(KEY),
    ...identity,
    vaultAddress: stranger.addressAs(identity.recipient, identity.verifyingKey),
    signIn: {
      ...signIn,
      message: hex.encode(message),
      signature: base64.encode(sign('latebra/v1/sign-in', message)),
    },
  };
}

/** The bytes of a file in the vectors: 251 does not divide a segment, so that no two of its segments are alike. */
const fileBytes = (bytes: number) => Uint8Array.from({ length: bytes }, (_, i) => i % 251);

function makeFile(bytes: number, index: number) {
  const [id, key] = [base64urlnopad.encode(counting(16, 0x40 + index)), counting(32, index)];
  const { segments, root } = sealFileAs(fileBytes(bytes), { id, key });
  const sealed = concatBytes(...segments);
  return {
    id,
    key: hex.encode(key),
    bytes,
    sealedBytes: sealed.length,
    begins: hex.encode(sealed.subarray(0, 16)),
    tags: segments.map((segment) => hex.encode(segment.slice(-16))),
    sealedSha256: hex.encode(sha256(sealed)),
    root: hex.encode(root),
  };
}

function makeArchive() {
  const meta = { createdAt: '2026-01-13T09:30:00.000Z', origin: 'https://vault.example' };
  const texts = {
    'vault.json': '{"v":1}',
    'memories/The well.md': '# The well\n\nIt was never dry.\n',
    'memories/Ein Brief an Zo\u00eb.md': '',
  };
  const files = Object.fromEntries(Object.entries(texts).map(([path, text]) => [path, utf8ToBytes(text)]));
  const { recipient, verifyingKey } = stranger.identityAs(KEY);
  return {
    key: hex.encode(KEY),
    vaultAddress: stranger.addressAs(recipient, verifyingKey),
    ...meta,
    files: texts,
    zip: base64.encode(stranger.archiveAs(files, KEY, meta)),
  };
}

/** Leaves of rows with two seals, with one, with none; and of seals of every length of padding. */
function makeLeaves() {
  const context = { kind: 'memory', field: 'title', sealId: SEAL_ID };
  const [first, second] = [0x30, 0x40].map((from) =>
    stranger.sealAs('The Well', KEY, context, counting(12, from), { bound: ['1', ''], ...AT }),
  ) as [string, string];
  const padded = [60, 61, 62].map((length) => base64.encode(counting(length, length)));
  return [[first, second], [first], [null, second], [], ...padded.map((sealed) => [sealed])].map((seals) => ({
    seals,
    leaf: stranger.bookLeafAs(seals),
  }));
}

/** A book of three entries: two rows put, one of them removed, and the loss of two entries accepted. */
function makeBook() {
  const number = (first: number) => base64urlnopad.encode(counting(16, first));
  const leaf = (first: number) => base64urlnopad.encode(counting(32, first));
  const [memory, ghost] = [number(0x40), number(0x60)];
  const [early, late] = [Date.UTC(2031, 0, 1), Date.UTC(2031, 0, 2)];
  const entries: stranger.ReferenceBookEntry[] = [
    {
      p: base64urlnopad.encode(new Uint8Array(32)),
      r: stranger.bookRootAs({ [memory]: leaf(0), [ghost]: leaf(1) }),
      d: 'Firefox on Linux',
      t: early,
      put: [
        [memory, 'memory', leaf(0)],
        [ghost, 'ghost', leaf(1), late, 'reading'],
      ],
    },
    { p: '', r: stranger.bookRootAs({ [memory]: leaf(0) }), d: 'Žofie’s phone', t: late, del: [ghost] },
    {
      p: '',
      r: stranger.bookRootAs({ [memory]: leaf(2) }),
      d: 'Firefox on Linux',
      t: late,
      put: [[memory, 'memory', leaf(2)]],
      all: true,
      lost: [5, leaf(3)],
    },
  ];
  let before = '';
  return entries.map((entry, i) => {
    const whole = { ...entry, p: before || entry.p };
    const sealed = stranger.bookEntryAs(whole, i + 1, KEY, counting(12, i));
    before = stranger.bookHashAs(sealed);
    return { key: hex.encode(KEY), n: i + 1, entry: whole, sealed, hash: before };
  });
}

/** What sisters keep, but for the boxes: an age file draws fresh randomness. */
function makeSisterLetter() {
  const scrollKey = counting(32, 0x11);
  const round = 2;
  const { id, lifeKey, signAs } = sisterLetterAs(scrollKey, round);
  const letterKey = stranger.derive(scrollKey, 'latebra/v1/scroll-letter');
  const publicId = base64urlnopad.encode(counting(16, 0xc0));
  const addressesKey = counting(32, 0x71);
  const edition = 3;
  const token = sisterTokenAs(letterKey, publicId);
  const addresses = {
    v: 1,
    authorName: '\u00c1gnes',
    recipients: [{ address: 'mira@mail.example', token }],
  };
  const challenge = base64urlnopad.encode(counting(32, 0x33));
  const { recipient, verifyingKey } = stranger.identityAs(KEY);
  const address = stranger.addressAs(recipient, verifyingKey);
  const sharesOf = (secret: Uint8Array, first: number) =>
    splitAs(secret, [counting(32, first)], [5, 90, 201]).map(({ share, x }) =>
      base64urlnopad.encode(concatBytes(share, new Uint8Array([x]))),
    );
  return {
    ...{ scrollKey: hex.encode(scrollKey), letterKey: hex.encode(letterKey), id, round, lifeKey },
    ...{ publicId, token, tokenHash: base64urlnopad.encode(sha256(base64urlnopad.decode(token))) },
    ...{ edition, addressesKey: hex.encode(addressesKey), addresses },
    encryptedAddresses: sealAddressesAs(addresses, addressesKey, { id, edition, iv: counting(12, 0x90) }),
    sharesOfAddresses: sharesOf(addressesKey, 0x51),
    sharesOfLetter: sharesOf(letterKey, 0x98),
    ...{ address, challenge },
    alive: signAs(address, id, challenge, 'alive'),
    end: signAs(address, id, challenge, 'end'),
  };
}

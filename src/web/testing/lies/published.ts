// The 31 attacks of IACR ePrint 2026/058 on four password managers, by name, and this program's answer to each. `npm run docs`
// writes them into docs/threat-model.md; record.test.ts checks that every test that is named exists.

type Test = readonly [file: string, name: string];

export interface PublishedAttack {
  /** As the paper has it: BW Bitwarden, LP LastPass, DL Dashlane, 1P 1Password. */
  ref: string;
  name: string;
  /** What was wrong there. */
  weakness: string;
  answer: string;
  tests: readonly Test[];
}

const ENVELOPE: Test = ['src/crypto/client-key.test.ts', 'nothing in an envelope is the vault key'];
const OTHER_SECRET: Test = ['src/crypto/wrap.test.ts', 'does not open with another secret'];
const NEW_KEY: Test = [
  'src/web/vault/key/rotation/regeneration.test.tsx',
  'the new words and the passphrase open the vault in a fresh browser, and the old words open nothing',
];
const POLICY: Test = [
  'src/server/features/documents/documents.test.ts',
  'may run our own scripts and nothing else',
];
const MOMENT: Test = [
  'src/vault/entries/sealed-moment.test.ts',
  'are sealed in its details, and neutral ones are sent',
];
const UNREAD: Test = [
  'src/web/chambers/relationship-ledger/page.test.tsx',
  'the server cannot read what kind of moment it was, nor how heavy, and the owner sees both everywhere',
];
const FACTS: Test = ['src/web/vault/entries/changed.test.ts', 'every fact of every kind is lied about here'];
const PLACE: Test = ['src/crypto/seal.test.ts', 'another %s does not open it'];
const LETTER: Test = [
  'src/crypto/scroll.test.ts',
  'no byte of a letter can be changed, and it opens in its own row alone',
];
const NOT_SENT: Test = [
  'src/web/chambers/relationship-ledger/page.test.tsx',
  'people who are in the ledger are offered, and no name leaves the browser or enters its address',
];
const WEAK: Test = [
  'src/crypto/wrap.test.ts',
  'a wrap with %s at the floor opens, and one under it does not',
];
const WEAK_NEW: Test = [
  'src/crypto/wrap.test.ts',
  'nothing new is wrapped with less %s than new passphrases have',
];
const WEAK_SCROLL: Test = [
  'src/web/vault/legacy/scrolls.test.ts',
  'is not stretched with less %s than is safe',
];
const BYTES: Test = ['src/crypto/seal.test.ts', 'no byte can be changed, and no length'];
const ORACLE: Test = ['src/crypto/seal.test.ts', 'errors tell nothing of their reason'];
const LEFT_OUT: Test = ['src/web/vault/book/book-sync.test.tsx', 'leaves out a row'];
const OLD: Test = ['src/web/vault/book/book-sync.test.tsx', 'shows an old version, also under a new number'];
const TWICE: Test = [
  'src/web/api/answer-checks.test.ts',
  'is refused when a row stands twice, by its number or by that of its seal',
];
const KIT_MADE: Test = [
  'src/web/testing/lies/published.test.tsx',
  'BW01, BW03, LP01, 1P01: whatever keys a server names, of a guardians’ kit it is sent one wrap, under the sheets’ secret alone',
];
const KIT_CONTRACT: Test = [
  'src/server/deadman/routes/guardian-kits/guardian-kits.test.ts',
  'no call of guardians’ kits answers a key that anything could be sealed to',
];
const KIT_ROTATED: Test = [
  'src/web/vault/key/rotation/kits.test.tsx',
  'the next key is wrapped for the kit that was judged, not for what the server shows under its number later',
];
const KIT_REMOVED: Test = [
  'src/web/vault/key/rotation/kits.test.tsx',
  'a removed kit that the server shows again is named, and its sheets are not given the next key',
];
const KIT_SUBSTITUTED: Test = [
  'src/web/chambers/sheets/ask-for-vault.test.tsx',
  '1P06: a key of the server’s own in the place of the vault’s is told of, and no words are shown',
];
const INJECTED: Test = [
  'src/web/testing/lies/published.test.tsx',
  '1P03: a vault of the server’s own, injected beside the user’s, gives none of its words out',
];
const SUBSTITUTED: Test = [
  'src/web/testing/lies/published.test.tsx',
  '1P06: a key of the server’s own in the place of the user’s opens no vault, and nothing is sealed under it',
];
const FLAG: Test = [
  'src/web/testing/lies/published.test.tsx',
  'BW10: a flag of the server never changes a format',
];
const LESS: Test = [
  'src/web/testing/lies/published.test.tsx',
  'DL04: a server that asks for less stretching of a new passphrase is sent nothing',
];
const MARKED: Test = [
  'src/web/vault/entries/boxes.test.tsx',
  'says that it arrived, also where the server has left that out',
];
const OWN_ROW: Test = [
  'src/web/vault/legacy/scrolls.test.ts',
  'does not open in another vault, or in another row',
];
const ADDRESS: Test = [
  'src/web/vault/legacy/scrolls.test.ts',
  'is not sealed to keys that are not those of the address',
];
const WAITS: Test = [
  'src/web/chambers/legacy-scroll/page.test.tsx',
  'a whisper waits as long as the server answers with keys that are not those of its address',
];
const EXCHANGED: Test = [
  'src/web/shell/key-and-sessions.test.tsx',
  'a server that has exchanged the envelope is not believed',
];
const WHOLE_WRAP: Test = [
  'src/crypto/wrap.test.ts',
  'allows no character of any text to be changed, shortened or lengthened',
];
const VERSION: Test = ['src/crypto/client-key.test.ts', 'another %s is refused'];
const STRETCHED: Test = [
  'src/crypto/wrap.test.ts',
  'a passphrase wrap does not open with %s changed, up or down',
];

const NO_ESCROW =
  'There is no escrow, no organisation and no administrator who resets anything. The key is wrapped under secrets that the server never has, and encrypted to no public key: a guardians’ kit wraps it under a secret that is drawn in the browser and stands on paper.';
const STRETCHING =
  'Refused before anything is sent. A new passphrase is stretched with 64 MiB and 3 passes at least, and one that is there already opens with no less than 46 MiB and 2.';
const ONE_PLACE =
  'Refused. Kind, field and seal number are bound to each ciphertext: it opens in its own place alone.';
const NO_ICONS =
  'No text of an entry is fetched by, sent, or put into an address. Nothing is loaded for an entry.';
const PUBLIC_KEYS =
  'A vault’s address is a hash of its public keys and is handed over by its owner. The browser makes it again from what the server answers, and seals to no others.';
const METADATA =
  'What kind of moment it was, how heavy, when it happened, and its tags are sealed. What is in the clear, such as a lock, is sealed in with the text, and a change of it is named. Times and sizes can be seen.';
const BOOK =
  'Noticed: the vault’s book has every write, and every list is compared with it. A list in which a row stands twice is refused.';
const ONE_FORMAT =
  'One version of each format is read and written: AES-GCM, and nothing without authentication.';

export const publishedAttacks: readonly PublishedAttack[] = [
  {
    ...{ ref: 'BW01', name: 'Malicious Auto-Enrolment' },
    weakness:
      'Joining an organisation, the client encrypts the user’s key to a public key that the server names.',
    answer: NO_ESCROW,
    tests: [ENVELOPE, OTHER_SECRET, KIT_MADE, KIT_CONTRACT],
  },
  {
    ...{ ref: 'BW02', name: 'Malicious Key Rotation' },
    weakness: 'Rotating the key, the client encrypts the new one to such a public key as well.',
    answer: `${NO_ESCROW} A new key is wrapped by what its owner gives on that page alone, and under the secrets of the kits that the vault’s book has.`,
    tests: [NEW_KEY, KIT_ROTATED, KIT_REMOVED],
  },
  {
    ...{ ref: 'BW03', name: 'Malicious KC Conversion' },
    weakness:
      'The server makes the client offer to “remove the master password”, and send the key to an address of its choice.',
    answer: `${NO_ESCROW} No answer opens such a dialog, and the page’s policy lets it connect to its own origin alone.`,
    tests: [ENVELOPE, POLICY, KIT_MADE],
  },
  {
    ...{ ref: 'LP01', name: 'Malicious Password Reset' },
    weakness: 'At each login the client encrypts the user’s key to the administrators whom the server lists.',
    answer: NO_ESCROW,
    tests: [ENVELOPE, OTHER_SECRET, KIT_MADE, KIT_CONTRACT],
  },
  {
    ...{ ref: '1P01', name: 'Malicious Recovery Group' },
    weakness:
      'The key of a new vault is encrypted to a recovery group’s public key, which the server gives out.',
    answer: NO_ESCROW,
    tests: [ENVELOPE, NEW_KEY, KIT_MADE, KIT_CONTRACT],
  },
  {
    ...{ ref: 'BW04', name: 'Unprotected Item Metadata' },
    weakness: 'Types, dates and settings of items can be read and changed.',
    answer: METADATA,
    tests: [MOMENT, UNREAD, FACTS],
  },
  {
    ...{ ref: 'BW05', name: 'Item Field Swapping' },
    weakness: 'Nothing binds a ciphertext to its field, nor an older one to its item.',
    answer: ONE_PLACE,
    tests: [PLACE, LETTER],
  },
  {
    ...{ ref: 'BW06', name: 'Icon URL Item Decryption' },
    weakness:
      'A password is put where the address of an icon stands: the client decrypts it, and asks the server for it.',
    answer: `${NO_ICONS} ${ONE_PLACE}`,
    tests: [NOT_SENT, PLACE],
  },
  {
    ...{ ref: 'BW07', name: 'Remove KDF Iterations' },
    weakness: 'The server says how often a password is stretched, and the client takes any number.',
    answer: STRETCHING,
    tests: [WEAK_NEW, WEAK, WEAK_SCROLL],
  },
  {
    ...{ ref: 'LP02', name: 'Item Field Swapping' },
    weakness: 'Fields of one and of different items can be exchanged.',
    answer: ONE_PLACE,
    tests: [PLACE, LETTER],
  },
  {
    ...{ ref: 'LP03', name: 'Icon URL Item Decryption' },
    weakness: 'As BW06, for any text.',
    answer: `${NO_ICONS} ${ONE_PLACE}`,
    tests: [NOT_SENT, PLACE],
  },
  {
    ...{ ref: 'LP04', name: 'Remove KDF Iterations' },
    weakness: 'As BW07, down to three iterations.',
    answer: STRETCHING,
    tests: [WEAK_NEW, WEAK, WEAK_SCROLL],
  },
  {
    ...{ ref: 'LP05', name: 'Malleable Vault' },
    weakness: 'CBC without authentication: bits of a text can be turned.',
    answer: `Refused. ${ONE_FORMAT}`,
    tests: [BYTES],
  },
  {
    ...{ ref: 'LP06', name: 'Unprotected Item Metadata' },
    weakness: 'Times, folders, types and settings can be read and changed.',
    answer: METADATA,
    tests: [MOMENT, UNREAD, FACTS],
  },
  {
    ...{ ref: 'DL01', name: 'Transaction Replay' },
    weakness: 'Transactions can be repeated, reordered and dropped.',
    answer: BOOK,
    tests: [LEFT_OUT, OLD, TWICE],
  },
  {
    ...{ ref: '1P02', name: 'Item Dropping/Duplication' },
    weakness: 'Items can be left out, and shown twice.',
    answer: BOOK,
    tests: [LEFT_OUT, TWICE],
  },
  {
    ...{ ref: '1P03', name: 'Vault Injection' },
    weakness:
      'Anybody can encrypt a vault key to the user’s public key, so the server adds a vault of its own.',
    answer:
      'Refused: the vault has one key, which no public key wraps, and rows under any other are unreadable. What anybody may seal to a vault, such as a delivery, is marked “Arrived from outside”.',
    tests: [INJECTED, MARKED],
  },
  {
    ...{ ref: '1P04', name: 'Remove KDF Iterations' },
    weakness: 'As BW07, down to a minimum far below what new accounts use.',
    answer: STRETCHING,
    tests: [WEAK_NEW, WEAK, WEAK_SCROLL],
  },
  {
    ...{ ref: 'BW08', name: 'Organisation Injection' },
    weakness: 'The server adds the user to an organisation by encrypting a key to them.',
    answer:
      'There are no organisations, and nothing joins another vault to this one. A whisper from another vault is listed apart, and signed by its sender’s address.',
    tests: [MARKED, INJECTED],
  },
  {
    ...{ ref: 'BW09', name: 'Organisation Overwrite' },
    weakness: 'The key of an organisation that was just made comes back as the server’s.',
    answer:
      'What is shared has a key of its own, a scroll’s for example, which is sealed under the vault’s key and bound to its row.',
    tests: [OWN_ROW],
  },
  {
    ...{ ref: 'LP07', name: 'Sharing Key Overwrite' },
    weakness: 'The server gives out its own public key in the place of the recipient’s.',
    answer: PUBLIC_KEYS,
    tests: [ADDRESS, WAITS],
  },
  {
    ...{ ref: 'DL02', name: 'Sharing Key Overwrite' },
    weakness: 'As LP07.',
    answer: PUBLIC_KEYS,
    tests: [ADDRESS, WAITS],
  },
  {
    ...{ ref: '1P05', name: 'Sharing Key Overwrite' },
    weakness: 'As LP07.',
    answer: PUBLIC_KEYS,
    tests: [ADDRESS, WAITS],
  },
  {
    ...{ ref: '1P06', name: 'Vault Substitution Attack' },
    weakness:
      'The key of a vault is exchanged for one of the server’s, encrypted to the user: what is written from then on can be read.',
    answer:
      'Refused: a key opens only by a wrap that is made with the user’s secret, and the envelope is recomputed from it. A browser that has seen a key asks before it takes another.',
    tests: [SUBSTITUTED, EXCHANGED, KIT_SUBSTITUTED],
  },
  {
    ...{ ref: 'BW10', name: 'Disable Per-Item Keys' },
    weakness: 'A version number of the server switches a protection off.',
    answer: 'No answer chooses a format, an algorithm or a key. The formats are this program’s.',
    tests: [FLAG],
  },
  {
    ...{ ref: 'BW11', name: 'User Key Overwriting' },
    weakness: 'A wrapped key that is not authenticated is forged, so that the server knows half of the key.',
    answer: `Refused. A wrap commits to its key and its parameters, and the envelope is compared with it. ${ONE_FORMAT}`,
    tests: [WHOLE_WRAP, EXCHANGED],
  },
  {
    ...{ ref: 'BW12', name: 'Downgrade to Legacy' },
    weakness: 'A forged key makes the client encrypt without authentication.',
    answer: `Refused. ${ONE_FORMAT} A key of another length is none.`,
    tests: [VERSION, FLAG],
  },
  {
    ...{ ref: 'DL03', name: 'Item Injection' },
    weakness: 'A padding oracle in an old format encrypts transactions of the server’s.',
    answer: `Refused. ${ONE_FORMAT} What does not open fails in one way, whatever the reason.`,
    tests: [ORACLE, INJECTED],
  },
  {
    ...{ ref: 'DL04', name: 'Remove KDF Iterations' },
    weakness: 'An injected setting says how little is to be stretched.',
    answer: `${STRETCHING} No setting in a vault or on the server changes it.`,
    tests: [WEAK_NEW, WEAK, LESS],
  },
  {
    ...{ ref: 'DL05', name: 'CBC-Only Downgrade' },
    weakness: 'An injected setting makes the client encrypt without authentication.',
    answer: ONE_FORMAT,
    tests: [FLAG, BYTES],
  },
  {
    ...{ ref: 'DL06', name: 'Lucky 64' },
    weakness: 'An injected setting uses a password of 64 bytes as the key, without stretching it.',
    answer: 'Every passphrase is stretched, and a wrap opens with no other parameters than its own.',
    tests: [STRETCHED, WEAK],
  },
];

// The classes of attacks by a malicious server that were published of other programs, and this program's answer to each:
// the tests that refuse them, or that nothing does yet. `npm run docs` writes them into docs/threat-model.md.

export interface AttackClass {
  /** In words. */
  name: string;
  /** Which of the papers it is of. */
  of: '2026/058' | '2024/1616' | 'both';
  answer: string;
  /** The tests that show it, by file and by name. */
  tests: readonly (readonly [file: string, name: string])[];
}

export const attackClasses: readonly AttackClass[] = [
  {
    name: 'Key escrow: recovery, or an organisation, through which the server comes to the key',
    of: '2026/058',
    answer:
      'There is nothing of the kind. Recovery methods wrap the key under secrets that the server never has, no administrator recovers a vault, and no answer of the server adds a wrap. A user without a recovery method has lost the vault.',
    tests: [
      ['src/crypto/client-key.test.ts', 'nothing in an envelope is the vault key'],
      ['src/crypto/wrap.test.ts', 'does not open with another secret'],
    ],
  },
  {
    name: 'A key of the server’s in place of the user’s own',
    of: '2024/1616',
    answer:
      'Refused. The envelope is recomputed from the key after unlocking, and a browser that has seen a key asks before it takes another one. A new device accepts the first key that its secret opens, which is one that somebody with that secret has made. Told that there is no key, a browser that has seen one stops, and a new one asks before it makes another.',
    tests: [
      [
        'src/web/shell/key-and-sessions.test.tsx',
        'a browser that has seen a key makes no other where the server says that there is none',
      ],
      [
        'src/web/shell/key-and-sessions.test.tsx',
        'a new browser makes no key by itself for an account that somebody has entered before',
      ],
      ['src/web/shell/key-and-sessions.test.tsx', 'a server that has exchanged the envelope is not believed'],
      ['src/web/vault/key/rollback.test.ts', 'is refused where it is another one under the same number'],
    ],
  },
  {
    name: 'Unbound fields: ciphertext moved to another field, row or kind',
    of: '2026/058',
    answer:
      'Refused: it does not open. Kind, field and seal number are bound to every ciphertext. The version and what its author chose in the clear (a lock, limits, a trigger, recipients and the numbers in their addresses) are sealed in with it: what was altered is named, and the text is not shown as if nothing had happened. What the server makes, such as its times and counts, is bound to nothing: the table above lists what follows from that.',
    tests: [
      ['src/web/vault/entries/changed.test.ts', 'every fact of every kind is lied about here'],
      ['src/crypto/sealed-box.test.ts', 'a box opens in its own place alone'],
      ['src/crypto/scroll.test.ts', 'no byte of a letter can be changed, and it opens in its own row alone'],
      [
        'src/crypto/claim.test.ts',
        'words sealed for one link do not open for another, nor when any byte was changed',
      ],
    ],
  },
  {
    name: 'Downgrades: weaker stretching, an older format, an older key',
    of: '2026/058',
    answer:
      'Refused. There is one version of each format, and no other is read. Stretching below the minimum is refused before anything is sent, and a key that came before is refused by a browser that has seen the newer one.',
    tests: [
      ['src/crypto/wrap.test.ts', 'nothing new is wrapped with less %s than new passphrases have'],
      ['src/crypto/wrap.test.ts', 'a wrap with %s at the floor opens, and one under it does not'],
      ['src/web/vault/legacy/scrolls.test.ts', 'is not stretched with less %s than is safe'],
      ['src/web/vault/key/rollback.test.ts', 'refuses an older key before any secret is given'],
    ],
  },
  {
    name: 'Unauthenticated public keys: sharing with whomever the server names',
    of: 'both',
    answer:
      'Refused. A vault’s address is a hash of its public keys, its owner hands it over, and the browser makes it again from what the server answers. With other keys the letter waits: it is not sent with a card instead. Whether the address is the right person’s is known to whoever got it from them.',
    tests: [
      [
        'src/web/chambers/legacy-scroll/page.test.tsx',
        'a whisper waits as long as the server answers with keys that are not those of its address',
      ],
      ['src/crypto/whisper.test.ts', 'is not, when it is another vault, or its keys are two vaults’'],
      ['src/web/vault/legacy/scrolls.test.ts', 'is not sealed to keys that are not those of the address'],
    ],
  },
  {
    name: 'Links whose secret reaches the server',
    of: '2024/1616',
    answer:
      'The secret stands behind “#”, which browsers do not send, and the link leads to the origin of the page that made it, whatever address the server answers.',
    tests: [
      [
        'src/web/vault/sharing/sharing.test.tsx',
        'a link leads to this server, also where the server names another address',
      ],
    ],
  },
  {
    name: 'Planted entries: content that the user never wrote',
    of: '2024/1616',
    answer:
      'Anybody who knows a vault can seal to it, and such an entry is marked “Arrived from outside”. Under the vault’s own key nobody else can seal. An entry of the vault itself that is shown again after it was deleted is named by the book.',
    tests: [
      [
        'src/web/vault/entries/boxes.test.tsx',
        'says that it arrived, also where the server has left that out',
      ],
      [
        'src/web/vault/key/key-rollback.test.tsx',
        'a memory that a server plants under a key of the ring is shown as arrived from outside, and sealed anew by no one but its reader',
      ],
      ['src/web/vault/book/book-sync.test.tsx', 'brings a deleted row back, and an erased one'],
    ],
  },
  {
    name: 'Tampering with metadata: names, places, dates',
    of: '2024/1616',
    answer:
      'Titles, names, tags, the day something happened, and what kind of moment it was and how heavy are sealed. Locks and kinds of stories are in the clear, and sealed in with the text together with the browser’s own times of writing: what was altered is named. In lists that show no text, such as that of links, the server’s times are believed.',
    tests: [
      [
        'src/web/vault/entries/changed.test.tsx',
        'a moment that was made heavier shows neither person nor words, and opens with its own weight',
      ],
      ['src/crypto/seal.test.ts', 'no byte can be changed, and no length'],
    ],
  },
  {
    name: 'No integrity of the vault as a whole: entries left out, brought back, or shown as they once were',
    of: 'both',
    answer:
      'Noticed. Every change comes with an entry of the vault’s book, and every list that is fetched is compared with it: what is missing, older, exchanged, deleted before, or without its details is named on every page. A thought that was read and a link that was opened stay in their lists, and a final breath is released with an entry. What nobody looks at is not missed before *Check everything now*.',
    tests: [
      ['src/web/vault/book/book-sync.test.tsx', 'leaves out a row'],
      ['src/web/vault/book/book-sync.test.tsx', 'shows an old version, also under a new number'],
      ['src/web/vault/book/book-sync.test.tsx', 'swaps two ciphertexts'],
      ['src/web/vault/book/book-sync.test.tsx', 'leaves the details of a row out'],
      ['src/web/vault/book/book-sync.test.tsx', 'brings a deleted row back, and an erased one'],
      ['src/web/vault/book/book-sync.test.tsx', 'loses what could be restored'],
    ],
  },
  {
    name: 'Rollback of the vault as a whole, and a history of its own for each device',
    of: '2024/1616',
    answer:
      'Noticed by every browser that has seen a later change, also over a change of the key, and whatever the server answers for the book: another one, a shorter one, or none. A browser that sees the book for the first time believes one that was true once. It asks whether the last change is the right one, and two devices, an archive or the printed sheet can be compared with it. Two histories that are never shown to the same device are not noticed.',
    tests: [
      [
        'src/web/vault/book/book-sync.test.tsx',
        'goes back as a whole, or drops the last entries, with their rows or without',
      ],
      ['src/web/vault/book/book-sync.test.tsx', 'shows no book any more'],
      ['src/web/vault/book/book-sync.test.tsx', 'shows two devices two books, and one of them later'],
      ['src/web/vault/book/another-key.test.tsx', 'a server cannot join two histories by a change of key'],
      [
        'src/web/chambers/book/page.test.tsx',
        'is said on every page to have kept the book back, until it shows it',
      ],
      [
        'src/web/vault/book/pin-of-archive.test.tsx',
        'a browser that knows nothing of it is told by an archive that the server went back',
      ],
      ['src/crypto/book.test.ts', 'tells a new browser what it likes, as long as it once was so'],
    ],
  },
  {
    name: 'Forged history: entries of the record that the user’s devices never wrote',
    of: '2024/1616',
    answer:
      'Refused. Entries are sealed under a key of their own and chained by hash; the server knows nothing of them but their number. What no entry names is shown apart, and comes into the book by its owner’s press alone.',
    tests: [
      ['src/web/vault/book/book-sync.test.tsx', 'cannot write an entry that takes a row in'],
      ['src/crypto/book.test.ts', 'changes any byte of any entry'],
      ['src/crypto/book.test.ts', 'begins with an entry in the middle that is no checkpoint'],
    ],
  },
];

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
      'Refused. The envelope is recomputed from the key after unlocking, and a browser that has seen a key asks before it takes another one. A new device accepts the first key that its secret opens, which is one that somebody with that secret has made.',
    tests: [
      [
        'src/web/vault/session/key-and-sessions.test.tsx',
        'a server that has exchanged the envelope is not believed',
      ],
      ['src/web/vault/key/rollback.test.ts', 'is refused where it is another one under the same number'],
    ],
  },
  {
    name: 'Unbound fields: ciphertext moved to another field, row or kind',
    of: '2026/058',
    answer:
      'Refused: it does not open. Kind, field and seal number are bound to every ciphertext. The version and what its author chose in the clear (a lock, a weight, limits, a trigger, recipients) are sealed in with it: what was altered is named, and the text is not shown as if nothing had happened. What the server makes, such as its times and counts, is bound to nothing: the table above lists what follows from that.',
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
      ['src/crypto/wrap.test.ts', 'weak %s is refused, both when wrapping and when unwrapping'],
      ['src/web/vault/legacy/scrolls.test.ts', 'is not stretched with less %s than is safe'],
      ['src/web/vault/key/rollback.test.ts', 'refuses an older key before any secret is given'],
    ],
  },
  {
    name: 'Unauthenticated public keys: sharing with whomever the server names',
    of: 'both',
    answer:
      'Refused. A vault’s address is a hash of its public keys, its owner hands it over, and the browser makes it again from what the server answers. Whether the address is the right person’s is known to whoever got it from them.',
    tests: [
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
      'Anybody who knows a vault can seal to it, and such an entry is marked “Arrived from outside”. Under the vault’s own key nobody else can seal. An entry of the vault itself can be shown again after it was deleted.',
    tests: [
      [
        'src/web/vault/entries/boxes.test.tsx',
        'says that it arrived, also where the server has left that out',
      ],
      [
        'src/web/vault/key/key-rollback.test.tsx',
        'a memory that a server plants under a key of the ring is shown as arrived from outside, and sealed anew by no one but its reader',
      ],
    ],
  },
  {
    name: 'Tampering with metadata: names, places, dates',
    of: '2024/1616',
    answer:
      'Titles, names, tags and the day something happened are sealed. Kinds, weights and locks are in the clear, and sealed in with the text together with the browser’s own times of writing: what was altered is named. In lists that show no text, such as that of links, the server’s times are believed.',
    tests: [
      [
        'src/web/vault/entries/changed.test.tsx',
        'a moment that was made heavier shows neither person nor words, and opens with its own weight',
      ],
      ['src/crypto/seal.test.ts', 'no byte can be changed, and no length'],
    ],
  },
  {
    name: 'No integrity of the vault as a whole: entries left out, or shown as they once were',
    of: '2026/058',
    answer:
      '**Not noticed.** A page refuses a list in which an entry stands twice or in a wrong place, and nothing else. This stays so until the vault keeps a record of its own changes.',
    tests: [
      [
        'src/web/api/answer-checks.test.ts',
        'is refused when a row stands twice, by its number or by that of its seal',
      ],
    ],
  },
];

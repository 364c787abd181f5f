// What protects a vault, where, and why: in words for whoever has to decide whether to trust it.

export interface Mean {
  name: string;
  /** Under what name the older copy speaks of it. */
  once?: string;
  where: string;
  why: string;
}

export const means: Mean[] = [
  {
    name: 'AES-256-GCM',
    where: 'Every title, name, word and answer that you write.',
    why: 'It hides the words, and notices when a single bit of them was changed. Machines of later, also quantum ones, are not expected to search 256 bits.',
  },
  {
    name: 'HKDF-SHA-256',
    where: 'Between your one vault key and the keys that do the work.',
    why: 'Each use has a key of its own, so what goes wrong with one says nothing of the others.',
  },
  {
    name: 'Argon2id',
    where: 'Your passphrase when you enter with one, and the passphrase of a one-time link.',
    why: 'Every guess costs 64 MiB of memory and a moment of work, for you once and for a thief each time.',
  },
  {
    name: 'ML-KEM-768',
    once: 'formerly Kyber768',
    where: 'Your vault’s public address, joined with X25519.',
    why: 'Whatever others seal to you stays shut to quantum machines, and to ordinary ones even if the newer of the two should fail.',
  },
  {
    name: 'ML-DSA-44',
    once: 'formerly Dilithium2',
    where:
      'What your vault signs: its public keys, your signing in with the twenty-four words, your exports.',
    why: 'A signature shows that something came from your vault. A signature made for one use is not valid for another.',
  },
  {
    name: 'age, with scrypt',
    where: 'The sealed archive that you export.',
    why: 'A format of others, which their tools open without this server. Every guess at its passphrase costs 256 MiB.',
  },
  {
    name: 'The Book',
    where: 'A sealed list of every change, of which each entry has the hash of the one before.',
    why: 'A server that leaves something out, brings back what was deleted, or goes back to an older state is found out by every browser that has seen more.',
  },
  {
    name: 'Padding',
    where: 'Everything before it is sealed.',
    why: 'Texts grow in steps of 256 bytes, so one short word looks like another.',
  },
];

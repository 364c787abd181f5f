// In which order a run takes its files: those that take longest first, so that no worker is left with one of them when the
// others have nothing more to do. Without a cache of its own, as in a fresh clone, vitest goes by the size of a file.
import { relative } from 'node:path';
import { BaseSequencer } from 'vitest/node';

/** Files that take long, the longest first: those at the top of the list that `npm test` ends with. */
export const LONGEST = [
  'src/simulation/mutants.test.ts',
  'src/simulation/simulation.test.ts',
  'src/web/testing/lies/lies.test.tsx',
  'src/server/fuzz.test.ts',
  'src/server/deadman/routes/trusted-contact/trusted-contact.test.ts',
  'src/server/features/vault/lock-order.test.ts',
  'src/server/wrong-clocks.test.ts',
  'src/server/deadman/sisters/sisters.test.ts',
  'src/server/deadman/watch/digest.test.ts',
  'src/server/deadman/pause/paused-switch.test.ts',
  'src/server/deadman/delivery/follow-up.test.ts',
  'src/server/deadman/watch/silence.test.ts',
  'src/server/durability.test.ts',
  'src/server/deadman/sisters/attacks.test.ts',
  'src/simulation/sisters.test.ts',
  'src/crypto/book-walks.test.ts',
  'src/server/adapters/speech.test.ts',
  'src/server/deadman/delivery/limits.test.ts',
  'src/server/guessing.test.ts',
  'src/server/contract.test.ts',
  'src/server/program.test.ts',
  'src/server/features/import-webhooks/import-webhooks.test.ts',
  'src/server/db/migrate.test.ts',
  'src/server/features/billing/billing.test.ts',
  'src/server/storage-attack.test.ts',
  'src/server/legacy-durability.test.ts',
  'src/server/deadman/delivery/transport-store.test.ts',
  'src/web/vault/book/book-sync-races.test.tsx',
  'src/web/vault/key/rotation/regeneration.test.tsx',
];

/**
 * @template {{ moduleId: string, project: { name: string } }} File
 * @param {readonly File[]} files in the order of a run, those of a project together
 * @param {string} root the repository
 * @returns {File[]} those of each project that take longest, then its others as they were
 */
export function longestFirst(files, root) {
  const projects = [...new Set(files.map(({ project }) => project.name))];
  const place = ({ moduleId }) => {
    const at = LONGEST.indexOf(relative(root, moduleId).replaceAll('\\', '/'));
    return at < 0 ? LONGEST.length : at;
  };
  const order = ({ project }) => projects.indexOf(project.name);
  return [...files].sort((one, other) => order(one) - order(other) || place(one) - place(other));
}

/** https://vitest.dev/config/sequence#sequence-sequencer */
export default class LongestFirst extends BaseSequencer {
  async sort(files) {
    return longestFirst(await super.sort(files), this.ctx.config.root);
  }
}

// A backup of a server's data folder, put back as an administrator would, or an operator who wants to show yesterday.
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestInstance } from './instance.ts';

/** Copies the data folder while the server is down, and gives back what restores it. */
export async function backUp(instance: TestInstance): Promise<() => Promise<void>> {
  const backup = mkdtempSync(join(tmpdir(), 'latebra-backup-'));
  await instance.restart(() => cpSync(instance.dataDir, backup, { recursive: true }));
  return () =>
    instance.restart(() => {
      for (const name of readdirSync(instance.dataDir))
        rmSync(join(instance.dataDir, name), { recursive: true });
      cpSync(backup, instance.dataDir, { recursive: true });
    });
}

// What sisters need of this device: its line to them, its clock, and what it remembers of them, which is no secret.
import type { SisterPorts } from '../../../vault/legacy/signs-of-life.ts';
import { readSlot, writeSlot } from '../device/account-slot.ts';
import type { OpenVault } from '../session/vault-context.ts';

const SLOT = 'latebra.sisters';

export const readSisterMemory = (uid: string): string | null => readSlot(SLOT, uid);

export const sisterPorts = ({ api, user }: Pick<OpenVault, 'api' | 'user'>): SisterPorts => ({
  fetch: api.fetch,
  now: Date.now,
  readMemory: () => readSisterMemory(user.id),
  writeMemory: (written) => writeSlot(SLOT, user.id, written),
});

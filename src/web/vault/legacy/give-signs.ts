// Signs of life to the sisters of letters, when a vault is open: at most once a day for each letter and sister, by one tab.
import { DAY } from '../../../shared/time.ts';
import { scrollList } from '../../../vault/legacy/scroll-list.ts';
import { giveSigns } from '../../../vault/legacy/signs-of-life.ts';
import { isDue, readMemory } from '../../../vault/legacy/sister-memory.ts';
import { letterWithSisters } from '../../../vault/legacy/with-sisters.ts';
import { readSlot, writeSlot } from '../device/account-slot.ts';
import type { OpenVault } from '../session/vault-context.ts';
import { sisterPorts } from './sister-device.ts';

/** When this device last looked which letters have sisters. */
const LOOKED = 'latebra.sisters-looked';

function wasLookedAt(uid: string, now: number): boolean {
  const since = now - Number(readSlot(LOOKED, uid) ?? Number.NaN);
  return since >= 0 && since < DAY;
}

/** Gives what signs are due. Whoever watches no letter, and has given none from here, has nothing to give. */
export function giveSignsOfLife(vault: OpenVault): Promise<void> {
  const { id, watchingScrolls } = vault.user;
  const ports = sisterPorts(vault);
  return inOneTab(id, async () => {
    const known = [...readMemory(ports.readMemory()).values()];
    const now = ports.now();
    const due = known.some((one) => isDue(one, now));
    if (!due && (watchingScrolls === 0 || wasLookedAt(id, now))) return;
    const letters = await vault.lists.load(scrollList, DAY);
    writeSlot(LOOKED, id, String(now));
    await giveSigns(
      letters.flatMap((scroll) => letterWithSisters(scroll) ?? []),
      ports,
    );
  });
}

/** All tabs of this browser give what is due once: the next one finds it given. */
const inOneTab = (uid: string, work: () => Promise<void>): Promise<void> =>
  navigator.locks ? navigator.locks.request(`latebra.signs-of-life:${uid}`, work) : work();

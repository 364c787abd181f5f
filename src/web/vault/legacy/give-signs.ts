// Signs of life to the sisters of letters, when a vault is open: at most once a day for each letter and sister, by one tab.
import { DAY, SECOND } from '../../../shared/time.ts';
import { scrollList } from '../../../vault/legacy/scroll-list.ts';
import { giveSigns } from '../../../vault/legacy/signs-of-life.ts';
import { isDue, readMemory, unheardFor } from '../../../vault/legacy/sister-memory.ts';
import { letterWithSisters } from '../../../vault/legacy/with-sisters.ts';
import { toast } from '../../ui/toaster.tsx';
import { readSlot, writeSlot } from '../device/account-slot.ts';
import type { OpenVault } from '../session/vault-context.ts';
import { sisterPorts } from './sister-device.ts';

/** When this device last looked which letters have sisters. */
const LOOKED = 'latebra.sisters-looked';

function wasLookedAt(uid: string, now: number): boolean {
  const since = now - Number(readSlot(LOOKED, uid) ?? Number.NaN);
  return since >= 0 && since < DAY;
}

/**
 * Gives what signs are due. Which letters there are is asked for once a day also where the server says that none watches: it could say
 * so, and the book would miss them in their list alone.
 */
export function giveSignsOfLife(vault: OpenVault): Promise<void> {
  const { id } = vault.user;
  const ports = sisterPorts(vault);
  return inOneTab(id, async () => {
    const known = [...readMemory(ports.readMemory()).values()];
    const now = ports.now();
    const due = known.some((one) => isDue(one, now));
    if (!due && wasLookedAt(id, now)) return;
    try {
      const loading = vault.lists.load(scrollList, DAY);
      const scrolls = await inTime(loading);
      writeSlot(LOOKED, id, String(now));
      const letters = scrolls.flatMap((scroll) => letterWithSisters(scroll) ?? []);
      await giveSigns(letters, ports);
      // One that does not open may be any that this device remembers: its number is the server's word.
      if (letters.length < scrolls.length) sayUnheard(letters);
    } catch (error) {
      if (!vault.isOffline()) sayUnheard([]);
      throw error;
    }

    /** A server that shows no letter keeps its sisters from hearing of their author, who is taken for dead in the end. */
    function sayUnheard(opened: readonly { sealId: string }[]): void {
      const known = new Set(opened.map(({ sealId }) => sealId));
      const unheard = unheardFor(readMemory(ports.readMemory()), known, SAID_AFTER, now);
      if (unheard.length > 0) toastUnheard(unheard);
    }
  });
}

/** How long a server may take to answer with the letters, in milliseconds: other tabs wait meanwhile. */
const ANSWERED_WITHIN = 30 * SECOND;

/** @throws DOMException where it takes too long */
const inTime = <T>(loading: Promise<T>): Promise<T> =>
  Promise.race([
    loading,
    new Promise<never>((_, reject) => {
      const late = AbortSignal.timeout(ANSWERED_WITHIN);
      late.addEventListener('abort', () => reject(late.reason), { once: true });
    }),
  ]);

/** After so long it is said that sisters hear nothing: half of the shortest silence that one waits for. */
const SAID_AFTER = 15 * DAY;

function toastUnheard(origins: readonly string[]): void {
  const hosts = origins.map((origin) => new URL(origin).host);
  toast({
    title: 'Sisters of your letters hear nothing of you',
    description: `This server does not show every letter as you have sealed it, so that ${hosts.join(', ')} could be given no sign of you from here for more than fifteen days. Once enough of them have heard nothing for long enough, they send what they keep.`,
    tone: 'destructive',
  });
}

/** All tabs of this browser give what is due once: the next one finds it given. */
const inOneTab = (uid: string, work: () => Promise<void>): Promise<void> =>
  navigator.locks ? navigator.locks.request(`latebra.signs-of-life:${uid}`, work) : work();

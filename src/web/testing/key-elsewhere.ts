// Another browser of a member that changes the vault's key by the app's own steps, and the member who comes into this one again: for
// tests in which both have one page's storage.
import { gate } from '../../shared/nouns/account.ts';
import { vaultKey } from '../../shared/nouns/vault-key.ts';
import { keepKey, loadKey } from '../vault/device/key-slot.ts';
import { countWaiting, noteWaiting } from '../vault/device/waiting-count.ts';
import { wrap } from '../vault/key/establish-key.ts';
import { findWrap, openByWrap } from '../vault/key/open-envelope.ts';
import { derivePassphraseSecret } from '../vault/key/passphrase-secret.ts';
import {
  beginRegeneration,
  letBurn,
  makeNextKey,
  resealEverything,
} from '../vault/key/rotation/regenerate.ts';
import { keyIn } from './another-key.ts';
import type { Device } from './devices.ts';

const PASSPHRASE = 'Seven herons over a weir';

/** With whom a vault has to be made whose owner is to come in again. */
export const withPassphrase = { passphrase: PASSPHRASE };

const isDraft = (name: string) => name.startsWith('latebra.draft:');

/** Everything but drafts: what looks for those of this browser meanwhile must not take them for dropped. */
function putIntoStorage(kept: Record<string, string>): void {
  for (const name of Object.keys(localStorage)) if (!isDraft(name)) localStorage.removeItem(name);
  for (const [name, text] of Object.entries(kept)) localStorage.setItem(name, text);
}

/** The other browser: what it keeps is what this one has when it is made, without what is being written. */
export class OtherBrowser {
  readonly device: Device;
  private kept: Record<string, string>;
  private key: string;

  constructor(device: Device) {
    this.device = device;
    this.kept = Object.fromEntries(Object.entries({ ...localStorage }).filter(([name]) => !isDraft(name)));
    this.key = loadKey(device.vault.user.id) ?? '';
  }

  /** Does something in it. This browser is then as it was, with its own key. */
  async use<T>(work: () => Promise<T>): Promise<T> {
    const { id } = this.device.vault.user;
    const here = { ...localStorage };
    const key = loadKey(id) ?? '';
    const waiting = countWaiting(id);
    // What waits here is not on its disk. The page has that in memory as well.
    noteWaiting(id, 0);
    putIntoStorage(this.kept);
    keepKey(id, this.key);
    try {
      return await work();
    } finally {
      this.key = loadKey(id) ?? '';
      this.kept = Object.fromEntries(Object.entries({ ...localStorage }).filter(([name]) => !isDraft(name)));
      putIntoStorage(here);
      noteWaiting(id, waiting);
      keepKey(id, key);
    }
  }

  changeKey(burns = false): Promise<void> {
    return this.use(() => changeKeyOn(this.device, burns));
  }
}

/** Changes the key on a device, which ends every other session. @param burns whether nothing is sealed anew, and no ring is left */
export async function changeKeyOn(device: Device, burns: boolean): Promise<void> {
  const { vault } = device;
  const next = await makeNextKey(vault);
  const { params, secret } = await passphraseOf(device);
  const ways = { wraps: [await wrap(next.key, { method: 'passphrase', params, secret })], wordsKept: false };
  if (burns) await letBurn(vault, next, ways);
  else {
    const survey = await beginRegeneration(vault);
    await resealEverything(vault, next, ways, survey, () => {}, new AbortController().signal);
  }
  device.reload(next.vault);
}

/** The passphrase, as the envelope of now asks for it. */
async function passphraseOf({ vault: { api, user } }: Device) {
  const kept = await api.send(vaultKey.get, {});
  const found = kept && findWrap(kept.clientKey, 'passphrase');
  if (!kept || found?.method !== 'passphrase') throw new Error('no passphrase opens this vault');
  const { wrapSecret } = await derivePassphraseSecret(PASSPHRASE, user.name ?? '', found.params);
  return { kept, found, params: found.params, secret: wrapSecret };
}

/** The member signs in with the passphrase, in a session of this device's own, and opens the vault with the key of now. */
export async function enterAgain(device: Device): Promise<void> {
  const { api, user } = device.vault;
  const name = user.name ?? '';
  device.network.cookies.clear();
  const given = await api.send(gate.passphraseSalt, { body: { name } });
  const { authKey } = await derivePassphraseSecret(PASSPHRASE, name, given);
  await api.send(gate.passphraseEnter, { body: { name, authKey } });
  const { kept, found, secret } = await passphraseOf(device);
  await openByWrap(user.id, kept, found, secret);
  device.reload(await keyIn({ user }));
}

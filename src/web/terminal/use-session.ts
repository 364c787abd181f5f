// The terminal's session with its effects: timers, wallets, the server, the clipboard.
import { useEffect, useRef, useState } from 'react';
import { holders } from '../../shared/nouns/holders.ts';
import { instanceKey } from '../../shared/nouns/instance-key.ts';
import type { ScreenPath } from '../../shared/screens.ts';
import type { ApiClient } from '../../vault/api/api-client.ts';
import { sentenceOf } from '../../vault/api/api-error.ts';
import { useApi } from '../api/services.tsx';
import { download } from '../ui/download.ts';
import { installedWallets } from '../wallet/installed-wallets.ts';
import { useWallet } from '../wallet/use-wallet.ts';
import { type InstalledWallet, NO_WALLET, refused, walletSentences } from '../wallet/wallet.ts';
import { extractArtifact } from './extract-artifact.ts';
import { readArtifact } from './read-artifact.ts';
import { step } from './session.ts';
import { blankSession, type Effect, type Session, type SessionEvent } from './session-state.ts';

/** Does something after some milliseconds, unless what it returns is called before. */
export type Schedule = (work: () => void, milliseconds: number) => () => void;

const byTimer: Schedule = (work, milliseconds) => {
  const timer = setTimeout(work, milliseconds);
  return () => clearTimeout(timer);
};

/** The same wallet, which is asked for no further signature once nobody waits for it. */
const whileAwaited = (wallet: InstalledWallet, isAwaited: () => boolean): InstalledWallet => ({
  ...wallet,
  signIn: async (input) => (isAwaited() ? wallet.signIn(input) : refused('failed')),
  signMessage: async (message) => (isAwaited() ? wallet.signMessage(message) : refused('failed')),
});

const DECODER: ScreenPath = '/test-verification';

async function verify(api: ApiClient, run: number, walletAddress: string): Promise<SessionEvent> {
  try {
    const holding = await api.send(holders.verify, { query: { walletAddress } });
    return { type: 'verified', run, holding, now: Date.now() };
  } catch (error) {
    return { type: 'unverified', run, sentence: sentenceOf(error) };
  }
}

/** @returns null where it is announced by the wallet's address, or not at all */
async function connect(inUse: ReturnType<typeof useWallet>, name: string): Promise<SessionEvent | null> {
  const all = installedWallets();
  const wanted = name === '' ? all : all.filter((wallet) => wallet.name.toLowerCase() === name);
  const [only] = wanted;
  if (all.length === 0) window.alert(NO_WALLET);
  else if (!only || wanted.length > 1)
    return { type: 'several-wallets', names: all.map((wallet) => wallet.name) };
  // One that shows its address already has nothing to announce.
  else if (await inUse.connect(only)) return { type: 'address', address: only.address() };
  return null;
}

/** @returns null once nobody waits for it: whoever has closed the terminal, or begun anew, is handed no file any more */
async function extract(
  api: ApiClient,
  wallet: InstalledWallet | null,
  { run, address, passphrase }: Effect & { type: 'extract' },
  isAwaited: () => boolean,
  isShown: () => boolean,
): Promise<SessionEvent | null> {
  const failed = { type: 'not-extracted', run, sentence: walletSentences.failed } as const;
  if (!wallet) return failed;
  try {
    const asked = whileAwaited(wallet, isAwaited);
    const taken = await extractArtifact(api, asked, address, passphrase, Date.now());
    if (!isShown() || !isAwaited()) return null;
    if ('sentence' in taken) return { type: 'not-extracted', run, sentence: taken.sentence };
    download(new TextEncoder().encode(taken.armored), taken.file, 'application/pgp-encrypted');
    return { type: 'extracted', run, artifact: taken };
  } catch {
    // Whatever it was, the terminal must not go on waiting.
    return failed;
  }
}

async function read(
  api: ApiClient,
  { run, artifact: { armored, passphrase } }: Effect & { type: 'read' },
): Promise<SessionEvent> {
  try {
    const key = await api.send(instanceKey.get, {}).catch(() => null);
    return { type: 'read', run, ...(await readArtifact(armored, passphrase, key)) };
  } catch {
    return { type: 'not-read', run };
  }
}

const copy = (text: string): Promise<SessionEvent> =>
  navigator.clipboard.writeText(text).then(
    () => ({ type: 'copied', ok: true }),
    () => ({ type: 'copied', ok: false }),
  );

/** @param visit goes to a screen: within the app, or by another document */
export function useSession(
  onClose: () => void,
  visit: (path: ScreenPath) => void,
  schedule: Schedule = byTimer,
) {
  const api = useApi();
  const inUse = useWallet();
  const [session, setSession] = useState(blankSession);
  const latest = useRef<{ session: Session; perform: (effect: Effect) => void }>({
    session: blankSession,
    perform: () => {},
  });
  const pending = useRef(new Set<() => void>());
  const isShown = useRef(true);

  function tell(event: SessionEvent): void {
    const [next, effects] = step(latest.current.session, event);
    latest.current.session = next;
    setSession(next);
    for (const effect of effects) latest.current.perform(effect);
  }

  const tellIfAny = (event: SessionEvent | null) => event && tell(event);

  function perform(effect: Effect): void {
    switch (effect.type) {
      case 'wait': {
        const cancel = schedule(() => {
          pending.current.delete(cancel);
          tell(effect.next);
        }, effect.milliseconds);
        pending.current.add(cancel);
        return;
      }
      case 'verify':
        return void verify(api, effect.run, effect.address).then(tell);
      case 'connect':
        return void connect(inUse, effect.name).then(tellIfAny);
      case 'disconnect':
        return void inUse.disconnect();
      case 'extract':
        return void extract(
          ...([api, inUse.wallet, effect] as const),
          () => latest.current.session.run === effect.run,
          () => isShown.current,
        ).then(tellIfAny);
      case 'read':
        return void read(api, effect).then(tell);
      case 'copy':
        return void copy(effect.text).then(tell);
      case 'decode':
        onClose();
        visit(DECODER);
        return;
      case 'close':
        onClose();
    }
  }
  // Whatever is done is done with what the screen has last been given.
  useEffect(() => {
    latest.current.perform = perform;
  });

  const { address } = inUse;
  const told = useRef(tell);
  // It begins when it is shown, and what it waits for ends with it.
  useEffect(() => {
    const waiting = pending.current;
    isShown.current = true;
    told.current({ type: 'opened', address: null });
    return () => {
      isShown.current = false;
      for (const cancel of waiting) cancel();
      waiting.clear();
    };
  }, []);
  useEffect(() => told.current({ type: 'address', address }), [address]);

  return { session, obey: (text: string) => tell({ type: 'command', text }) };
}

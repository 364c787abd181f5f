// The terminal's session with its effects: timers, wallets, the server, the clipboard.
import { useEffect, useRef, useState } from 'react';
import { holders } from '../../shared/nouns/holders.ts';
import { instanceKey } from '../../shared/nouns/instance-key.ts';
import type { ScreenPath } from '../../shared/screens.ts';
import { sentenceOf } from '../../vault/api/api-error.ts';
import { useApi } from '../api/services.tsx';
import { download } from '../ui/download.ts';
import { installedWallets } from '../wallet/installed-wallets.ts';
import { useWallet } from '../wallet/use-wallet.ts';
import { type InstalledWallet, NO_WALLET, refused, walletSentences } from '../wallet/wallet.ts';
import { extractArtifact } from './extract-artifact.ts';
import { readArtifact } from './read-artifact.ts';
import { blankSession, type Effect, type Session, type SessionEvent, step } from './session.ts';

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

  async function verify(run: number, walletAddress: string): Promise<void> {
    try {
      const holding = await api.send(holders.verify, { query: { walletAddress } });
      tell({ type: 'verified', run, holding, now: Date.now() });
    } catch (error) {
      tell({ type: 'unverified', run, sentence: sentenceOf(error) });
    }
  }

  async function connect(name: string): Promise<void> {
    const all = installedWallets();
    const wanted = name === '' ? all : all.filter((wallet) => wallet.name.toLowerCase() === name);
    const [only] = wanted;
    if (all.length === 0) window.alert(NO_WALLET);
    else if (only && wanted.length === 1) {
      // One that shows its address already has nothing to announce.
      if (await inUse.connect(only)) tell({ type: 'address', address: only.address() });
    } else tell({ type: 'several-wallets', names: all.map((wallet) => wallet.name) });
  }

  async function extract({ run, address, passphrase }: Effect & { type: 'extract' }): Promise<void> {
    const { wallet } = inUse;
    const failed = { type: 'not-extracted', run, sentence: walletSentences.failed } as const;
    if (!wallet) return tell(failed);
    const isAwaited = () => latest.current.session.run === run;
    try {
      const taken = await extractArtifact(
        api,
        whileAwaited(wallet, isAwaited),
        address,
        passphrase,
        Date.now(),
      );
      // Whoever has closed the terminal meanwhile, or begun anew, is handed no file any more.
      if (!isShown.current || !isAwaited()) return;
      if ('sentence' in taken) return tell({ type: 'not-extracted', run, sentence: taken.sentence });
      download(new TextEncoder().encode(taken.armored), taken.file, 'application/pgp-encrypted');
      tell({ type: 'extracted', run, artifact: taken });
    } catch {
      // Whatever it was, the terminal must not go on waiting.
      tell(failed);
    }
  }

  async function read(effect: Effect & { type: 'read' }): Promise<void> {
    const { run } = effect;
    const { armored, passphrase } = effect.artifact;
    try {
      const key = await api.send(instanceKey.get, {}).catch(() => null);
      tell({ type: 'read', run, ...(await readArtifact(armored, passphrase, key)) });
    } catch {
      tell({ type: 'not-read', run });
    }
  }

  async function copy(text: string): Promise<void> {
    const ok = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
    tell({ type: 'copied', ok });
  }

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
        return void verify(effect.run, effect.address);
      case 'connect':
        return void connect(effect.name);
      case 'disconnect':
        return void inUse.disconnect();
      case 'extract':
        return void extract(effect);
      case 'read':
        return void read(effect);
      case 'copy':
        return void copy(effect.text);
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

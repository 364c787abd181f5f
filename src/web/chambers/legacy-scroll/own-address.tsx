// The address under which other vaults whisper to this one.
import { useState } from 'react';
import { inFours } from '../../../shared/in-fours.ts';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import { AnotherKey } from '../../../vault/keys/key-in-hand.ts';
import { ownAddress } from '../../../vault/keys/own-address.ts';
import { useAttempt } from '../../hooks/use-attempt.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { useVault } from '../../vault/session/vault-context.ts';

/** The button that was pressed is gone. */
const takeFocus = (element: HTMLElement | null) => element?.focus({ preventScroll: true });

const why = (error: unknown): string =>
  error instanceof AnotherKey
    ? 'Another tab has put another key into this browser. Reload first.'
    : sentenceOf(error);

export function OwnAddress() {
  const vault = useVault();
  const [address, setAddress] = useState<string | null>(null);
  const { busy, problem, run } = useAttempt(why);

  const show = () =>
    run(async () => {
      setAddress(await ownAddress(vault));
    });

  return (
    <>
      {address === null ? (
        <div>
          <Button tone="caps" busy={busy} onClick={() => void show()}>
            Show my address
          </Button>
        </div>
      ) : (
        <div
          ref={takeFocus}
          tabIndex={-1}
          className="flex flex-wrap items-center gap-x-6 gap-y-3"
          role="status"
        >
          <span className="min-w-0 font-machine text-body wrap-anywhere">{inFours(address)}</span>
          <CopyButton value={address}>Copy address</CopyButton>
        </div>
      )}
      <Problem>{problem}</Problem>
    </>
  );
}

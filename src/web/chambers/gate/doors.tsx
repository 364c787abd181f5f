// The gate itself: what somebody finds there first. Its document shows it before the app has come (document.tsx).
import { publicDocuments } from '../../../shared/addresses.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Room } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';

interface DoorsProps {
  /** Whether this browser knows passkeys. */
  passkeys: boolean;
  problem?: string | null;
  /** A passkey is being asked for. */
  busy?: boolean;
  /** A passkey did not come: the other ways are as plain to see as the first then. */
  missed?: boolean;
  onPasskey?: () => void;
  onFirstTime?: () => void;
  onPassphrase?: () => void;
  onWords?: () => void;
}

export function Doors({ passkeys, problem, busy = false, missed = false, ...on }: DoorsProps) {
  const otherWay = missed ? ({ wide: true } as const) : ({ tone: 'caps' } as const);
  return (
    <Room
      sigil="mark"
      title="The gate"
      lead="Sign in with a passkey, with a name and a passphrase, or with your twenty-four words. No e-mail is needed."
    >
      <Problem>{problem}</Problem>
      {passkeys ? (
        <Button tone="primary" wide busy={busy} onClick={on.onPasskey}>
          Enter with a passkey
        </Button>
      ) : (
        <Button tone="primary" wide onClick={on.onPassphrase}>
          Enter with a name and a passphrase
        </Button>
      )}
      <Button wide onClick={on.onFirstTime} disabled={busy}>
        First time here
      </Button>
      <Or />
      <div className={`grid w-full justify-items-center ${missed ? 'gap-3' : 'gap-1'}`}>
        {passkeys && (
          <Button {...otherWay} onClick={on.onPassphrase}>
            A name and a passphrase
          </Button>
        )}
        <Button {...otherWay} onClick={on.onWords}>
          The twenty-four words
        </Button>
        <ButtonLink href={`${publicDocuments.help}#recovery`} tone="caps">
          Help
        </ButtonLink>
      </div>
    </Room>
  );
}

function Or() {
  return (
    <div className="grid w-full grid-cols-[1fr_auto_1fr] items-center gap-4" aria-hidden="true">
      <span className="border-t border-line" />
      <span className="caps text-dust">or</span>
      <span className="border-t border-line" />
    </div>
  );
}

// Whom this server writes to besides a letter's recipients, and where its author's own whispers arrive.
import type { ReactNode } from 'react';
import { OwnAddress } from './own-address.tsx';
import { SecondPlace, SecondWarning } from './second-warning.tsx';
import { TrustedContact } from './trusted-contact.tsx';
import type { Scrolls } from './use-scrolls.ts';
import { useTrustedContact } from './use-trusted-contact.ts';
import { useSecondWarning, useWarningAddress } from './use-warning-address.ts';
import { WarningAddress } from './warning-address.tsx';

export function WarningsAndAddresses({ scrolls }: { scrolls: Scrolls }) {
  const warnings = useWarningAddress();
  const second = useSecondWarning();
  const trusted = useTrustedContact(() => void scrolls.list.refetch());
  return (
    <section aria-label="Warnings and addresses" className="min-w-0 border-t border-line">
      <Aside
        title="Warnings"
        says="Where warnings are mailed, for letters that warn you by mail. Warnings of the others are shown on your dashboard."
      >
        <WarningAddress
          warnings={warnings}
          mails={scrolls.transports?.email ?? true}
          onRemoved={() => {
            void scrolls.list.refetch();
            void second.query.refetch();
          }}
        />
        {warnings.proved && (
          <SecondPlace>
            <SecondWarning second={second} transports={scrolls.transports} removes />
          </SecondPlace>
        )}
      </Aside>
      <Aside
        title="Trusted contact"
        says="Somebody you name, if you want. They are told before a letter is sent for inactivity, and may postpone that once, by thirty days. They can neither read a letter nor stop it, and are not told to whom it goes."
      >
        <TrustedContact trusted={trusted} mails={scrolls.transports?.email ?? true} />
      </Aside>
      <Aside
        title="Your vault address"
        says="Give it to people who have a vault here, so that they can send you a whisper."
      >
        <OwnAddress />
      </Aside>
    </section>
  );
}

function Aside({ title, says, children }: { title: string; says: string; children: ReactNode }) {
  return (
    <div className="mt-12 grid gap-3">
      <h3 className="font-display text-name font-medium">{title}</h3>
      <p className="text-note text-dust">{says}</p>
      {children}
    </div>
  );
}

// The ways back to the key, and what signs in: words, passphrase, passkeys.
import { countRecoveryMethods } from '../../../shared/nouns/recovery-methods.ts';
import { Section } from '../../ui/section.tsx';
import MissingMethods from '../../vault/key/recovery/missing-methods.tsx';
import { RecoveryMethods } from '../../vault/key/recovery/recovery-methods.tsx';
import { useVault } from '../../vault/session/vault-context.ts';
import { Passkeys } from './passkeys.tsx';
import { RemovePassphrase } from './remove-passphrase.tsx';

export function Recovery() {
  const { user, fingerprint } = useVault();
  return (
    <Section
      title="Recovery: ways back"
      says="Recovery methods: what opens your vault when this browser does not hold the key. Keep at least two."
    >
      {countRecoveryMethods(user) === 0 && (
        <p className="border-l-4 border-blood pl-4 text-blood">
          This vault has no recovery method. If this browser loses the key, every entry is lost.
        </p>
      )}
      <MissingMethods user={user} fingerprint={fingerprint} />
      <RecoveryMethods />
      <Passkeys />
      <RemovePassphrase />
    </Section>
  );
}

// Beneath the head where the vault did not lock although it was left alone: what the server says of its recovery methods, and
// what this browser knows of them, have nothing in common (vault/device/ways-back.ts).
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';

export default function StayedOpen({ onLock }: { onLock: () => void }) {
  return (
    <Banner
      actions={
        <Button size="small" onClick={onLock}>
          Lock now
        </Button>
      }
    >
      {/* On a phone there is room for two short lines. */}
      It did not lock by itself
      <span className="max-sm:hidden">, as this browser knows no recovery method for its key</span>.
    </Banner>
  );
}

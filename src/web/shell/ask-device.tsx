// The question itself, beneath the head of whichever page is shown first.
import { Button } from '../ui/button.tsx';
import { toast } from '../ui/toaster.tsx';
import { type DeviceOwner, setDeviceOwner } from '../vault/session/device.ts';

export default function AskDevice({ uid, onAnswered }: { uid: string; onAnswered: () => void }) {
  function answer(owner: DeviceOwner) {
    setDeviceOwner(uid, owner);
    toast(
      owner === 'own'
        ? { title: 'Idle lock is off', description: 'You can turn it on in Sacred Settings.' }
        : { title: 'Idle lock is on', description: 'You can turn it off in Sacred Settings.' },
    );
    onAnswered();
    // The buttons are gone, and the focus with them.
    document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
  }
  return (
    <section aria-labelledby="device-question" className="border-b border-line bg-ink-1 max-md:border-t">
      <div className="wrap flex flex-wrap items-center gap-x-8 gap-y-3 py-4">
        <div className="min-w-0 flex-1 basis-80">
          <h2 id="device-question" className="font-display text-lead font-medium">
            Is this device yours alone?
          </h2>
          <p className="text-note text-dust">
            Until you answer, your vault locks after 30 minutes without a touch, as on a device that others
            use, and you unlock it with a recovery method. If it is yours alone, it stays open.
          </p>
        </div>
        <div className="flex flex-wrap gap-3 max-sm:w-full max-sm:*:grow">
          <Button size="small" onClick={() => answer('shared')}>
            Others use it
          </Button>
          <Button size="small" onClick={() => answer('own')}>
            Mine alone
          </Button>
        </div>
      </div>
    </section>
  );
}

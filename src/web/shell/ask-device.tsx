// Whose device is this? It is asked once in a browser, as a part of entering; whoever came in otherwise is asked by a line
// beneath the head. Until somebody answers, the vault locks when it is idle.
import { useState } from 'react';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { toast } from '../ui/toaster.tsx';
import { type DeviceOwner, setDeviceOwner } from '../vault/device/device.ts';
import { DEVICE_HOLDS, DEVICE_QUESTION, DeviceAnswers } from './device-answers.tsx';

export default function AskDevice({ uid, onAnswered }: { uid: string; onAnswered: () => void }) {
  const [open, setOpen] = useState(false);

  function answer(owner: DeviceOwner) {
    setDeviceOwner(uid, owner);
    toast(
      owner === 'own'
        ? { title: 'Idle lock is off', description: 'You can turn it on in Sacred Settings.' }
        : { title: 'Idle lock is on', description: 'You can turn it off in Sacred Settings.' },
    );
    onAnswered();
  }

  return (
    <>
      <Banner
        actions={
          <Button size="small" onClick={() => setOpen(true)}>
            Answer
          </Button>
        }
      >
        {/* On a phone there is room for two short lines. */}
        <span className="max-sm:hidden">{DEVICE_QUESTION}</span>
        <span className="sm:hidden">Yours alone?</span> Until you answer, it locks after 30 minutes.
      </Banner>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        size="narrow"
        title={DEVICE_QUESTION}
        description={DEVICE_HOLDS}
        footer={<DeviceAnswers onAnswer={answer} />}
      />
    </>
  );
}

// Asked once in a browser: is this device yours alone? Until somebody answers, the vault locks when it is idle.
import { lazy, Suspense, useState } from 'react';
import { deviceOwner } from './device.ts';

const AskDevice = lazy(() => import('./ask-device.tsx'));

export function DeviceQuestion({ uid }: { uid: string }) {
  const [asked, setAsked] = useState(() => deviceOwner(uid) !== null);
  if (asked) return null;
  return (
    <Suspense>
      <AskDevice uid={uid} onAnswered={() => setAsked(true)} />
    </Suspense>
  );
}

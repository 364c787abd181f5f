// Asked once in a browser: is this device yours alone? Until somebody answers, the vault locks when it is idle.
import { useState } from 'react';
import { later } from '../../ui/later.tsx';
import { deviceOwner } from './device.ts';

const AskDevice = later(() => import('./ask-device.tsx'));

export function DeviceQuestion({ uid }: { uid: string }) {
  const [asked, setAsked] = useState(() => deviceOwner(uid) !== null);
  if (asked) return null;
  return <AskDevice uid={uid} onAnswered={() => setAsked(true)} />;
}

// Asked once in a browser: is this device yours alone? Until somebody answers, the vault locks when it is idle.
import { useState } from 'react';
import { deviceOwner } from '../vault/session/device.ts';
import AskDevice from './ask-device.tsx';

export function DeviceQuestion({ uid }: { uid: string }) {
  const [asked, setAsked] = useState(() => deviceOwner(uid) !== null);
  if (asked) return null;
  return <AskDevice uid={uid} onAnswered={() => setAsked(true)} />;
}

// Beneath the head of a member who came in without being asked whose device this is, as by a sign-in provider. What asks is
// fetched only then.
import { useState } from 'react';
import { later } from '../ui/later.tsx';
import { deviceOwner } from '../vault/device/device.ts';

const AskDevice = later(() => import('./ask-device.tsx'));

export function DeviceQuestion({ uid }: { uid: string }) {
  const [asked, setAsked] = useState(() => deviceOwner(uid) !== null);
  if (asked) return null;
  return <AskDevice uid={uid} onAnswered={() => setAsked(true)} />;
}

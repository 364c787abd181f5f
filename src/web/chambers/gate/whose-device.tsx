// Asked once in a browser of somebody who has come through the gate: whose device this is. The account is entered by then, and
// what holds without an answer holds for whoever leaves here.
import { DEVICE_HOLDS, DEVICE_QUESTION, DeviceAnswers } from '../../shell/device-answers.tsx';
import { Room } from '../../ui/page.tsx';
import { deviceOwner, setDeviceOwner } from '../../vault/device/device.ts';

/** Whether nobody has answered for this account in this browser. */
export const isAsked = (uid: string): boolean => deviceOwner(uid) === null;

export default function WhoseDevice({ uid, onAnswered }: { uid: string; onAnswered: () => void }) {
  return (
    <Room sigil="key" title={DEVICE_QUESTION} lead={DEVICE_HOLDS}>
      <DeviceAnswers
        wide
        onAnswer={(owner) => {
          setDeviceOwner(uid, owner);
          onAnswered();
        }}
      />
    </Room>
  );
}

// The question whose device this is, and its two answers, for the gate and for the line beneath the head.
import { Button } from '../ui/button.tsx';
import type { DeviceOwner } from '../vault/device/device.ts';

export const DEVICE_QUESTION = 'Is this device yours alone?';
export const DEVICE_HOLDS =
  'If others use it, your vault locks after 30 minutes without a touch, and you unlock it with a recovery method. Until you answer, it does the same. You can change your answer in Sacred Settings.';

interface AnswersProps {
  wide?: boolean;
  onAnswer: (owner: DeviceOwner) => void;
}

export function DeviceAnswers({ wide = false, onAnswer }: AnswersProps) {
  return (
    <>
      <Button wide={wide} onClick={() => onAnswer('shared')}>
        Others use it
      </Button>
      <Button wide={wide} onClick={() => onAnswer('own')}>
        Mine alone
      </Button>
    </>
  );
}

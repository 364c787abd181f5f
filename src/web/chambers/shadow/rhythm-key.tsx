// The breath of those without a microphone: held while breathing in, let go while breathing out. By pointer, by the space
// bar or Enter, and by programs that only press.
import { useEffect, useRef, useState } from 'react';
import { classes } from '../../ui/classes.ts';

const isRhythmKey = (key: string) => key === ' ' || key === 'Enter';

export function RhythmKey({ onKey }: { onKey: (isDown: boolean) => void }) {
  const [isDown, setDown] = useState(false);
  // A press by a program comes as a click alone, without anything that goes down before.
  const wasHeld = useRef(false);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);

  function change(down: boolean) {
    if (down) wasHeld.current = true;
    setDown(down);
    onKey(down);
  }

  return (
    <div className="grid gap-3">
      <button
        ref={button}
        type="button"
        aria-pressed={isDown}
        className={classes(
          'min-h-20 cursor-pointer touch-none rounded-sm border font-display text-name font-medium tracking-name transition-colors select-none',
          isDown ? 'border-ember bg-ember/14 text-ember' : 'border-edge/70 text-bone hover:border-dust',
        )}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture?.(event.pointerId);
          change(true);
        }}
        onPointerUp={() => change(false)}
        onPointerCancel={() => change(false)}
        onKeyDown={({ key, repeat }) => isRhythmKey(key) && !repeat && change(true)}
        onKeyUp={({ key }) => isRhythmKey(key) && change(false)}
        onBlur={() => isDown && change(false)}
        onClick={() => {
          if (!wasHeld.current) {
            onKey(true);
            onKey(false);
          }
          wasHeld.current = false;
        }}
      >
        {isDown ? 'Breathing in' : 'Hold while you breathe in'}
      </button>
      <p className="text-small text-shade">
        With the space bar, a finger or a pointer. Let go while you breathe out.
      </p>
    </div>
  );
}

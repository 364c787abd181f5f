// The breath of those without a microphone: held while breathing in, let go while breathing out. By pointer, by the space
// bar or Enter, and by programs that only press.
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { classes } from '../../ui/classes.ts';

const isRhythmKey = (key: string) => key === ' ' || key === 'Enter';

export function RhythmKey({ onKey }: { onKey: (isDown: boolean) => void }) {
  const [isDown, setDown] = useState(false);
  // A press by a program comes as a click alone, without a pointer that goes down before.
  const wasHeld = useRef(false);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);

  function change(down: boolean) {
    setDown(down);
    onKey(down);
  }

  function press(event: KeyboardEvent, down: boolean) {
    if (!isRhythmKey(event.key)) return;
    // No click follows: while Enter is held, browsers would send one after another.
    event.preventDefault();
    if (!event.repeat) change(down);
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
          wasHeld.current = true;
          change(true);
        }}
        onPointerUp={() => change(false)}
        onPointerCancel={() => {
          wasHeld.current = false;
          change(false);
        }}
        onKeyDown={(event) => press(event, true)}
        onKeyUp={(event) => press(event, false)}
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

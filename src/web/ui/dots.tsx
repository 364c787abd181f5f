// How many of a few, as a row of dots. It repeats what words beside it say.
import { classes } from './classes.ts';

/** @param className carries the colour of those that are filled */
export function Dots({ value, max, className }: { value: number; max: number; className?: string }) {
  return (
    <span aria-hidden="true" className={classes('inline-flex shrink-0 gap-1', className)}>
      {Array.from({ length: max }, (_, i) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: the dots are alike
          key={i}
          className={classes(
            'size-1.75 rounded-full border',
            i < value ? 'border-current bg-current forced-colors:bg-[CanvasText]' : 'border-edge/60',
          )}
        />
      ))}
    </span>
  );
}

// Two or three views of one room, of which one is shown. Arrow keys move between them.
import * as Radix from '@radix-ui/react-tabs';
import type { ReactNode } from 'react';

interface TabsProps<View extends string> {
  /** What the views are views of, for those who cannot see them. */
  label: string;
  views: readonly { value: View; label: string }[];
  value: View;
  onChange: (view: View) => void;
  /** The view that is shown. */
  children: ReactNode;
}

export function Tabs<View extends string>({ label, views, value, onChange, children }: TabsProps<View>) {
  return (
    <Radix.Root value={value} onValueChange={(view) => onChange(view as View)}>
      <Radix.List aria-label={label} className="flex flex-wrap gap-x-8">
        {views.map((view) => (
          <Radix.Trigger
            key={view.value}
            value={view.value}
            className="caps cursor-pointer border-b border-transparent py-3.5 text-dust transition-colors hover:text-bone data-[state=active]:border-bone data-[state=active]:text-bone"
          >
            {view.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {views.map((view) => (
        // What stands in it can be reached by itself: the panel is no stop of its own.
        <Radix.Content key={view.value} value={view.value} tabIndex={-1}>
          {view.value === value && children}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}

// Buttons, and links that look like them. A button names what it will do; while it is busy it keeps its place, its
// focus and its words, and does nothing.
import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { Link } from 'wouter';
import { classes } from './classes.ts';
import { Arc } from './spinner.tsx';

/** `primary` burns (one in a view); `destructive` ends something; `caps` is a bare word, `caps-lit` the lit one. */
export type ButtonTone = 'primary' | 'quiet' | 'destructive' | 'caps' | 'caps-lit';

interface Look {
  tone?: ButtonTone;
  size?: 'regular' | 'small';
  /** As wide as its container. */
  wide?: boolean;
  className?: string | undefined;
}

const framed =
  'rounded-sm border font-display font-medium tracking-name transition-colors disabled:opacity-45 aria-disabled:cursor-default';

const tones: Record<ButtonTone, string> = {
  primary: `${framed} border-ember/55 bg-ember/7 text-ember enabled-hover:border-ember enabled-hover:bg-ember/14`,
  quiet: `${framed} border-edge/70 text-dust enabled-hover:border-dust enabled-hover:text-bone`,
  destructive: `${framed} border-blood/55 bg-blood/7 text-blood enabled-hover:border-blood enabled-hover:bg-blood/14`,
  caps: 'caps py-2 text-dust underline-offset-8 transition-colors enabled-hover:text-bone enabled-hover:underline disabled:opacity-45',
  'caps-lit':
    'caps py-2 text-ember underline-offset-8 transition-colors enabled-hover:underline disabled:opacity-45',
};

const sizes = {
  regular: 'min-h-12.5 px-7 py-3 text-[1.125rem]/[1.15]',
  small: 'min-h-10 px-4.5 py-2 text-body/[1.15]',
};

function look({ tone = 'quiet', size = 'regular', wide = false, className }: Look): string {
  const bare = tone === 'caps' || tone === 'caps-lit';
  return classes(
    'inline-flex cursor-pointer items-center justify-center gap-3 text-center text-balance',
    tones[tone],
    !bare && sizes[size],
    wide && 'w-full',
    className,
  );
}

interface ButtonProps extends Look, Omit<ComponentProps<'button'>, 'className'> {
  /** Under way: clicks and submits do nothing, the words stay for screen readers. */
  busy?: boolean;
  /** Shown instead of the words while busy, as "Sealing...". */
  busyLabel?: string | undefined;
}

/** A button. `type` is `button` unless said otherwise. */
export function Button(props: ButtonProps) {
  const {
    tone,
    size,
    wide,
    className,
    busy = false,
    busyLabel,
    type = 'button',
    onClick,
    children,
    ...rest
  } = props;
  function press(event: MouseEvent<HTMLButtonElement>) {
    if (busy) event.preventDefault();
    else onClick?.(event);
  }
  return (
    <button
      {...rest}
      type={type}
      className={look({ ...(tone && { tone }), ...(size && { size }), ...(wide && { wide }), className })}
      onClick={press}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
    >
      <Words busy={busy} busyLabel={busyLabel}>
        {children}
      </Words>
    </button>
  );
}

/** Both wordings share one cell, so the button's width does not jump. */
function Words(props: { busy: boolean; busyLabel: string | undefined; children: ReactNode }) {
  const { busy, busyLabel, children } = props;
  if (!busy && !busyLabel) return children;
  const waiting = (
    <span className="inline-flex items-center justify-center gap-3">
      <Arc className="size-[1.1em] shrink-0" />
      {busyLabel}
    </span>
  );
  return (
    <span className="grid items-center justify-items-center *:col-start-1 *:row-start-1">
      <span
        className={classes('inline-flex items-center gap-3', busy && (busyLabel ? 'invisible' : 'opacity-0'))}
        aria-hidden={busy && Boolean(busyLabel)}
      >
        {children}
      </span>
      {busy ? (
        waiting
      ) : (
        <span className="invisible" aria-hidden="true">
          {waiting}
        </span>
      )}
    </span>
  );
}

type ButtonLinkProps = Look & {
  children: ReactNode;
  target?: string;
  rel?: string;
  download?: string | boolean;
} & (
    | {
        /** A screen of the app: no page load. */
        to: string;
        href?: never;
      }
    | {
        /** A document or an address the browser loads, such as /api/login. */
        href: string;
        to?: never;
      }
  );

/** A link that looks like a button. `to` stays in the app, `href` leaves it. */
export function ButtonLink({ to, href, tone, size, wide, className, ...rest }: ButtonLinkProps) {
  const name = look({ ...(tone && { tone }), ...(size && { size }), ...(wide && { wide }), className });
  if (to !== undefined) return <Link href={to} className={name} {...rest} />;
  return <a href={href} className={name} {...rest} />;
}

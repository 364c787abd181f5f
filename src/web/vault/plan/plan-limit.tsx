// What stands beside words that a plan has no room for: why, and a quiet way to the plan that has. What was typed stays.
import { Link } from 'wouter';
import { refusedAs, sentenceOf } from '../../../vault/api/api-error.ts';
import { useBilling } from './use-billing.ts';

/** Whether more room would have let this through. */
export const isLimit = (error: unknown) => refusedAs(error, 'plan-limit', 'quota-bytes', 'quota-rows');

/** A link to the Enhanced plan; nothing where it is not sold, or is there already. */
export function PlanLink() {
  const { data } = useBilling();
  if (data?.plan !== 'free') return null;
  return (
    <Link
      href="/checkout"
      className="inline-block py-1 text-dust underline decoration-dust/50 underline-offset-4 transition-colors hover:text-bone hover:decoration-bone"
    >
      See the Enhanced plan
    </Link>
  );
}

interface PlanLimitProps {
  /** What the last try ended with; anything but a limit shows nothing. */
  error: unknown;
  /** Whether its sentence stands there already. */
  said?: boolean;
}

export function PlanLimit({ error, said = false }: PlanLimitProps) {
  if (!isLimit(error)) return null;
  return (
    <p className="flex flex-wrap items-baseline gap-x-5 gap-y-1 border-l border-ember/55 pl-4 text-note text-dust empty:hidden">
      {!said && <span className="wrap-anywhere">{sentenceOf(error)}</span>}
      <PlanLink />
    </p>
  );
}

// The limits of both plans, side by side, and what they have in common.
import type { Billing } from '../../../shared/nouns/billing.ts';
import { classes } from '../../ui/classes.ts';
import { featuresOf } from '../../vault/plan/plan-words.ts';

interface FeaturesProps {
  plans: Billing['plans'];
  /** Which of them this account has. */
  has: 'free' | 'enhanced';
}

const head = 'caps w-1/4 pb-4 text-left align-top font-normal';
const cell = 'py-4.5 pl-4 align-baseline sm:pl-6';

export function Features({ plans, has }: FeaturesProps) {
  return (
    <section aria-labelledby="features">
      <h2 id="features" className="font-display text-heading">
        What the plans allow
      </h2>
      <table className="mt-6 w-full border-collapse">
        <thead>
          <tr className="border-b border-line">
            <td />
            <th scope="col" className={classes(head, 'pl-4 text-dust sm:pl-6')}>
              Free
              {has === 'free' && <Yours />}
            </th>
            <th scope="col" className={classes(head, 'pl-4 text-ember sm:pl-6')}>
              Enhanced
              {has === 'enhanced' && <Yours />}
            </th>
          </tr>
        </thead>
        <tbody>
          {featuresOf(plans).map(({ name, free, enhanced }) => (
            <tr key={name} className="border-b border-line/60">
              <th scope="row" className="py-4.5 text-left align-baseline font-normal text-dust">
                {name}
              </th>
              <td className={classes(cell, 'text-dust')}>{free}</td>
              <td className={cell}>{enhanced}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <ul className="mt-8 grid gap-3 text-note text-dust">
        <li className="border-l border-line pl-5">
          Both plans have every chamber, the same encryption, every recovery method, and the export. Stories
          that the Loom makes in your browser are not counted.
        </li>
        <li className="border-l border-line pl-5">
          When the Enhanced plan ends, nothing is deleted and nothing is locked. What is beyond the limits of
          the free plan can be read and exported, and active letters stay active. Only what is new waits.
        </li>
      </ul>
    </section>
  );
}

function Yours() {
  return <span className="mt-1.5 block font-text text-note tracking-[0] text-shade normal-case">yours</span>;
}

// One section of the manifesto: its numeral and title at the left, its words at the right.
// The check in the page reads them back (shown-sections.ts).
import type { ScrollSection } from '../../../shared/black-scroll.ts';
import { classes } from '../../ui/classes.ts';
import { anchorOf } from './head.tsx';

export function Section({ section }: { section: ScrollSection }) {
  const { numeral, title, paragraphs, items = [] } = section;
  const anchor = anchorOf(numeral);
  return (
    <section
      id={anchor}
      data-numeral={numeral}
      aria-labelledby={`${anchor}-title`}
      className="unveil grid scroll-mt-6 gap-x-16 gap-y-8 border-t border-line/70 py-16 sm:py-24 md:grid-cols-[17rem_minmax(0,1fr)]"
    >
      <header className="flex flex-wrap items-baseline gap-x-6 self-start md:sticky md:top-12 md:grid md:gap-y-5">
        <p aria-hidden="true" className="font-display text-hero font-light text-ember/80">
          {numeral}
        </p>
        <h2 id={`${anchor}-title`} className="font-display text-heading font-medium">
          <span className="sr-only">{numeral}. </span>
          {title}
        </h2>
      </header>
      <div className="grid max-w-form gap-6">
        {paragraphs.map((paragraph, index) => (
          <p key={paragraph} className={classes('running-text text-read', index === 0 && 'drop-capital')}>
            {paragraph}
          </p>
        ))}
        {items.length > 0 && (
          <dl className="mt-6 border-b border-line/70">
            {items.map(({ name, says }) => (
              <div
                key={name}
                className="grid gap-x-8 gap-y-1.5 border-t border-line/70 py-5 sm:grid-cols-[14rem_minmax(0,1fr)]"
              >
                <dt className="font-display text-name font-medium">{name}</dt>
                <dd className="running-text text-lead text-dust">{says}</dd>
              </div>
            ))}
          </dl>
        )}
      </div>
    </section>
  );
}

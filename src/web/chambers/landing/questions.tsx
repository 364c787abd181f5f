// The last thing before the door: the three questions themselves.
import { ButtonLink } from '../../ui/button.tsx';

export function Questions() {
  return (
    <section className="candle-below">
      <div className="wrap">
        <div className="grid grid-cols-1 justify-items-center gap-5 border-t border-line/70 pt-20 pb-28 text-center sm:pt-28 sm:pb-40">
          <h2 className="caps text-dust">The sacred questions</h2>
          <ol className="mt-4 grid gap-3 font-display text-[clamp(1.875rem,1.3rem+2.7vw,3.25rem)]/[1.15] font-light tracking-tight text-balance italic">
            <li>What are you hiding?</li>
            <li>Who do you trust?</li>
            <li>What would you burn to keep it safe?</li>
          </ol>
          <p className="mt-3 mb-5 max-w-gate text-balance text-dust">
            Asked once, when you first come in. Your answers are sealed before they leave you, like everything
            else.
          </p>
          <ButtonLink href="/api/login#first-time" tone="primary">
            Begin the Ritual
          </ButtonLink>
          <p className="caps text-dust">Three questions. No return.</p>
        </div>
      </div>
    </section>
  );
}

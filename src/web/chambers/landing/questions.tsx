// The last thing before the door: the three questions themselves.
import { ButtonLink } from '../../ui/button.tsx';

export function Questions() {
  return (
    <section className="candle-below">
      <div className="wrap">
        <div className="grid grid-cols-1 justify-items-center gap-4 border-t border-line/70 pt-8 pb-10 text-center sm:gap-5 sm:pt-24 sm:pb-36">
          <h2 className="caps text-dust">The sacred questions</h2>
          <ol className="mt-2 grid gap-2 font-display text-[clamp(1.625rem,1.1rem+2.7vw,3.25rem)]/[1.15] font-light tracking-tight text-balance italic">
            <li>What are you hiding?</li>
            <li>Who do you trust?</li>
            <li>What would you burn to keep it safe?</li>
          </ol>
          <p className="mt-1 mb-3 max-w-gate text-balance max-sm:hidden text-dust">
            Asked once, when you first come in. Your answers are sealed before they leave you, like everything
            else.
          </p>
          <ButtonLink href="/api/login#first-time" tone="primary">
            Begin the Ritual
          </ButtonLink>
        </div>
      </div>
    </section>
  );
}

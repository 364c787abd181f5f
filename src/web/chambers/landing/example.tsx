// An entry that everybody may open here: what a server keeps of one, and its key, which stands beside it because it is an
// example. A press has the page's script fetch what opens it (open-example.ts). It is sealed as the words of a one-time link are.
import { Button } from '../../ui/button.tsx';
import { Sigil } from '../../ui/sigil.tsx';

/** Sealed once, by `sealShared`. */
export const EXAMPLE = {
  keyId: 'Y3nvIZ8Az7u39jM0GzlFww',
  secret: 'WcbIfQvwPivx4I00ugWPiHuPUD-OFgGV2XMWD4Ncq1g',
  sealed:
    'mHHAIk2fa/fE7brvwrE1/D/8C5Yg/pg/FCndcqvCimFEvWZlKrCB6I6wbgwPTmc5cIFZ1eedW8Lr758DJFEiDefCxE6NZIoBbiiioz4po5G97RiwHKSejtu23eWpIiLmos7yWbvXQ/n7P0WASZMTHVjHcvbHh79PJ5a9wdFItoZ843HLfOzpjALGmmgbuMAEm4cIkljYtOAnNlXvekwptuSmhmhG5Ph2A6eNT8ukd3QzjNiVmltxFbvI/L4/expwYrNQ5shHLIB8kgUx/gpql/SvFTOjWmniQo653z+grWA0bkTlQKThYmOOHnbU39EBDZ4HHCuPiS7mAyxBSoimgOiNj90NJzUbga+w9XhvTNgoJF+xn/mvgcmJN6g=',
};

export function Example() {
  return (
    <figure
      id="example"
      data-example={EXAMPLE.keyId}
      className="grid scroll-mt-6 border border-line bg-ink-1 md:grid-cols-[1fr_auto_1fr]"
    >
      <div className="p-5 max-md:pb-8 sm:p-9">
        <p className="label text-dust">On this server</p>
        <p
          data-sealed=""
          className="mt-2.5 font-machine text-tiny/[1.55] text-verdigris wrap-anywhere max-sm:line-clamp-5"
        >
          {EXAMPLE.sealed}
        </p>
        <p className="label mt-4 text-dust">Its key, as this is an example</p>
        <p data-secret="" className="mt-2.5 font-machine text-tiny/[1.55] text-dust wrap-anywhere">
          {EXAMPLE.secret}
        </p>
      </div>
      <div aria-hidden="true" className="relative border-line max-md:border-t md:border-l">
        <Sigil
          name="lock"
          className="absolute top-1/2 left-1/2 size-14 sm:size-16 -translate-1/2 bg-ink-1 p-3 text-ember"
        />
      </div>
      <div className="grid content-start p-5 max-md:pt-8 sm:p-9" aria-live="polite">
        <p className="label text-dust">In your browser</p>
        <div data-shut="" className="mt-3 grid justify-items-start gap-4">
          <p className="text-dust">Your browser can open it, without an account, and sends nothing for it.</p>
          <Button data-open-example="">Open the example</Button>
          <p className="hidden text-note text-dust noscript:block">Opening it needs JavaScript.</p>
        </div>
        <div data-opened="" hidden>
          <h3 data-title="" tabIndex={-1} className="mt-4 font-display text-heading">
            <span />
          </h3>
          <p
            data-content=""
            className="mt-3 font-display text-[clamp(1.5rem,1.3rem+1vw,2rem)]/[1.25] font-light whitespace-pre-line"
          />
          <p className="caps mt-6 text-dust">Opened in this browser</p>
        </div>
      </div>
      <figcaption className="sr-only">An entry before and after it is opened.</figcaption>
    </figure>
  );
}

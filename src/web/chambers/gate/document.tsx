// The gate for visitors: a document in which its doors stand before the app has come. Its script (script.ts) has the app take
// their place, and repeats the press that was made before.
import { Shell } from '../../ui/page.tsx';
import { Arc, Spinner } from '../../ui/spinner.tsx';
import { Doors } from './doors.tsx';

export function GateDocument() {
  return (
    <>
      <noscript>
        <p className="wrap py-12">
          This vault seals and opens in your browser, and that needs JavaScript. Please allow it for this
          site.
        </p>
      </noscript>
      <div id="root" className="noscript:hidden">
        <Shell>
          <Doors passkeys />
        </Shell>
      </div>
      <template data-waiting="">
        <Spinner screen />
      </template>
      <template data-busy="">
        <Arc className="size-[1.1em] shrink-0" />
      </template>
    </>
  );
}

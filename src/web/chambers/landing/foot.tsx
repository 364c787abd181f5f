// The foot of the landing page.
import { SOURCE_PATH } from '../../../shared/screens.ts';
import { Sigil } from '../../ui/sigil.tsx';

const word = 'caps py-1 text-dust underline-offset-8 hover:text-bone hover:underline';

export function Foot() {
  return (
    <footer className="border-t border-line/70">
      <div className="wrap flex flex-wrap items-start justify-between gap-x-16 gap-y-6 py-8 sm:py-12">
        <div className="max-w-gate">
          <p className="flex items-center gap-3 font-display text-[1.375rem]/none font-medium tracking-[0.06em]">
            <Sigil name="mark" className="size-7" />
            Latebra
          </p>
          <p className="mt-4 text-small text-shade">
            <span lang="la">Latebra</span>, Latin: a hiding place. This page comes from this server alone. Its
            one script opens the example and thirteen.sh.
          </p>
        </div>
        <ul className="flex flex-wrap gap-x-8 gap-y-2 sm:gap-x-10">
          <li>
            <a className={word} href="/black-scroll">
              The black scroll
            </a>
          </li>
          <li>
            <a className={word} href="/thirteen-holders">
              The thirteen holders
            </a>
          </li>
          <li>
            <button type="button" className={`cursor-pointer ${word}`} data-terminal="">
              thirteen.sh
            </button>
          </li>
          <li>
            <a className={word} href="/help">
              Help
            </a>
          </li>
          <li>
            <a className={word} href="/privacy">
              Privacy
            </a>
          </li>
          <li>
            <a className={word} href={SOURCE_PATH}>
              Source code
            </a>
          </li>
          <li>
            <a className={word} href="/api/login">
              Enter
            </a>
          </li>
        </ul>
      </div>
    </footer>
  );
}

// The foot of the landing page.
import { SOURCE_PATH } from '../../../shared/screens.ts';
import { Sigil } from '../../ui/sigil.tsx';
import type { Offers } from './offers.ts';

const word = 'caps py-1 text-dust underline-offset-8 hover:text-bone hover:underline';

export function Foot({ offers }: { offers: Offers }) {
  return (
    <footer className="border-t border-line/70">
      <div className="wrap flex flex-wrap items-start justify-between gap-x-16 gap-y-8 py-12">
        <div className="max-w-gate">
          <p className="flex items-center gap-3 font-display text-[1.375rem]/none font-medium tracking-[0.06em]">
            <Sigil name="mark" className="size-7" />
            Latebra
          </p>
          <p className="mt-4 text-small text-shade">
            <span lang="la">Latebra</span>, Latin: a hiding place. This page comes from this server alone
            {offers.terminal ? '. Its one script opens thirteen.sh.' : ', and runs no script.'}
          </p>
        </div>
        <ul className="flex flex-wrap gap-x-10 gap-y-2">
          {offers.blackScroll && (
            <li>
              <a className={word} href="/black-scroll">
                The black scroll
              </a>
            </li>
          )}
          {offers.thirteenHolders && (
            <li>
              <a className={word} href="/thirteen-holders">
                The thirteen holders
              </a>
            </li>
          )}
          {offers.terminal && (
            <li>
              <button type="button" className={`cursor-pointer ${word}`} data-terminal="">
                thirteen.sh
              </button>
            </li>
          )}
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

// Who holds the token, by rank. Addresses are public on the chain; each is shown by its ends and copied whole.
import { type Gathering, HOLDERS_LISTED, rankTitle, TOKEN_SYMBOL } from '../../../shared/nouns/holders.ts';
import { formatAmount, shortAddress } from '../../ui/amounts.ts';
import { CopyButton } from '../../ui/copy-button.tsx';

export function HolderList({ gathering: { holders, count } }: { gathering: Gathering }) {
  if (holders.length === 0) return <p className="text-dust">Nobody holds a whole token yet.</p>;
  return (
    <>
      <ol className="border-t border-line/70">
        {holders.map(({ address, amount, rank }) => (
          <li
            key={address}
            className="grid grid-cols-[2.5rem_1fr_auto] items-center gap-x-4 border-b border-line/70 py-3.5 sm:grid-cols-[3.5rem_1fr_auto_auto] sm:gap-x-8"
          >
            <span className="font-display text-name text-shade lining-nums">{rank}</span>
            <span className="min-w-0">
              <span className="block font-display text-name/[1.15]">{rankTitle(rank)}</span>
              <span className="block font-machine text-tiny/[1.6] text-dust normal-nums" title={address}>
                <span aria-hidden="true">{shortAddress(address)}</span>
                <span className="sr-only">{address}</span>
              </span>
            </span>
            <span className="font-machine text-small text-verdigris normal-nums max-sm:text-right">
              {formatAmount(amount)} {TOKEN_SYMBOL}
            </span>
            <span className="max-sm:col-start-2 max-sm:-ml-0.5">
              <CopyButton value={address} tone="caps">
                Copy<span className="sr-only"> the address of rank {rank}</span>
              </CopyButton>
            </span>
          </li>
        ))}
      </ol>
      {count > holders.length && (
        <p className="mt-4 text-note text-shade">
          The first {HOLDERS_LISTED} are listed, of {count.toLocaleString('en-GB')}.
        </p>
      )}
    </>
  );
}

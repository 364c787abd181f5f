// Says on every page of an open vault what was found about its book. What it says is fetched when there is something.
import { useQuery } from '@tanstack/react-query';
import { useContext } from 'react';
import { useLocation } from 'wouter';
import type { BookState } from '../../../vault/book/book-state.ts';
import { later } from '../../ui/later.tsx';
import { bookKey } from '../session/book-key.ts';
import { type OpenVault, VaultContext } from '../session/vault-context.ts';

const NoticeWords = later(() => import('./notice-words.tsx'));

export function BookNotice() {
  const vault = useContext(VaultContext);
  const [here] = useLocation();
  // Its own screen says everything.
  return vault && here !== '/book' && <OfVault vault={vault} />;
}

function OfVault({ vault }: { vault: OpenVault }) {
  // Others put it there: whoever watches, and every list that is compared.
  const { data: state } = useQuery<BookState>({ queryKey: bookKey(vault), enabled: false });
  const isTold = state && (state.isInDoubt || state.unwritten > 0);
  return isTold && <NoticeWords state={state} />;
}

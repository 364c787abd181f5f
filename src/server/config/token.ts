// The token whose holders gather, the chain that they are read from, and the game.
import { SECOND } from '../../shared/time.ts';
import {
  ConfigProblem,
  chainAddress,
  isLoopback,
  isPercentEncoded,
  list,
  webUrl,
  wholeNumber,
} from './readers.ts';
import { type Read, variable } from './variable.ts';

export const tokenVariables = {
  TOKEN_MINT: variable({
    fallback: 'none: the gathering says "The Threshold Awaits"',
    says: 'The mint of the token whose holders gather, as its Solana address; of the Token or the Token-2022 program.',
    read: (raw) => (raw === undefined ? null : chainAddress(raw)),
  }),
  SOLANA_RPC_URL: variable({
    fallback: 'https://api.mainnet-beta.solana.com',
    says: 'The Solana JSON-RPC that the holders are read from. It may hold a key of yours, and is never logged. Nothing is asked of it without TOKEN_MINT.',
    read: (raw) => {
      const url = webUrl(raw ?? 'https://api.mainnet-beta.solana.com', 'the address of a Solana JSON-RPC');
      if (url.protocol !== 'https:' && !isLoopback(url.hostname)) {
        throw new ConfigProblem('must use https, except for a chain on this machine');
      }
      if (!isPercentEncoded(url.username) || !isPercentEncoded(url.password)) {
        throw new ConfigProblem('must have every % in its name and password written as %25');
      }
      return url;
    },
  }),
  TOKEN_EXCLUDE: variable({
    fallback: 'none',
    says: 'Owners who are no holders, as Solana addresses separated by commas: a treasury, an exchange. Pools and other owners that are programs are none anyway.',
    read: (raw) => new Set(list(raw).map(chainAddress)),
  }),
  HOLDER_REFRESH_SECONDS: variable({
    fallback: '60',
    says: 'How many seconds pass between two readings of the holders, at least 10. One server of a database reads for all.',
    read: wholeNumber(10, 86_400, 60),
  }),
  PUZZLE_FILE: variable({
    fallback: 'the puzzle that is shipped',
    says: 'A JSON file with the texts, hex strings and the phrase of the game, in place of those that are shipped and known to whoever reads the source. docs/game.md says what is in it. It is read at the start.',
    read: (raw) => raw ?? null,
  }),
};

type ReadToken = Read<typeof tokenVariables>;

export interface TokenConfig {
  /** Null: there is no token, and nobody holds it. */
  token: {
    /** Its mint's address. */
    mint: string;
    rpcUrl: ReadToken['SOLANA_RPC_URL'];
    /** Owners who are no holders. */
    exclude: ReadToken['TOKEN_EXCLUDE'];
  } | null;
  /** How often the holders are read, in milliseconds. */
  holderRefresh: number;
  /** Null: the one that is shipped. */
  puzzleFile: ReadToken['PUZZLE_FILE'];
}

export const tokenOf = (values: ReadToken): TokenConfig => ({
  token: values.TOKEN_MINT
    ? { mint: values.TOKEN_MINT, rpcUrl: values.SOLANA_RPC_URL, exclude: values.TOKEN_EXCLUDE }
    : null,
  holderRefresh: values.HOLDER_REFRESH_SECONDS * SECOND,
  puzzleFile: values.PUZZLE_FILE,
});

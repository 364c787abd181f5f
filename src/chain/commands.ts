// What one terminal asks of the chain in another: `give` and `take`.

/** The token's name here. A mint of the token programs has none. */
export const SYMBOL = 'LAT';

export interface Given {
  address: string;
  /** In tokens, after this. */
  balance: string;
  /** Of a new wallet: its 64 bytes in base58, as wallets import them. */
  secretKey?: string;
  /** Nobody signs for this address, so it is not counted. */
  offCurve: boolean;
}

export interface Taken {
  address: string;
  /** In tokens. */
  taken: string;
}

// Counts of tokens and addresses of wallets, as people compare them.
const tokens = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 2 });

/** Such as "1,204" or "1.5": cut after two decimals and never rounded up, so that 0.999 is not shown as a whole one. */
export const formatAmount = (amount: number): string => tokens.format(Math.floor(amount * 100) / 100);

/** Such as "7xKX…9fQe". */
export const shortAddress = (address: string): string =>
  address.length > 11 ? `${address.slice(0, 4)}…${address.slice(-4)}` : address;

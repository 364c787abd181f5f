// Links and codes that are handed over lead nowhere where they name the computer on which they were made.

/** Whether an address means the computer on which it is opened, whichever that is. */
export const isThisComputer = (hostname: string): boolean =>
  /^(?:.+\.)?localhost\.?$|^127\.|^\[::1\]$|^0\.0\.0\.0$/.test(hostname);

/** The name of the slot of a kept user (kept-user.ts), before the account's number. */
export const KEPT_USER = 'latebra.kept-user:';

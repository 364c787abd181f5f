// Types of columns that tables of several owners have.

/** A boolean, as both engines keep it. */
export type Flag = 0 | 1;
export type SignInWay = 'passkey' | 'passphrase' | 'words' | 'oidc';

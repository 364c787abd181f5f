/** The 2,048 English words of BIP39, which stand in a script of their own (src/ark/template.ts). */
declare const WORDS: readonly string[];

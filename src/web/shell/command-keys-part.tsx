// For the pages that visitors see too, which load nothing of the vault for them.
export { CommandKeys as default } from './command-keys.tsx';

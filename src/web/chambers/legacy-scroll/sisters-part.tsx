// Few letters have sisters: what is said and done with them is fetched for those.
import { later } from '../../ui/later.tsx';

export const SistersLine = later(async () => ({
  default: (await import('./sisters-line.tsx')).SistersLine,
}));

export const SistersDialog = later(async () => ({
  default: (await import('./sisters-dialog.tsx')).SistersDialog,
}));

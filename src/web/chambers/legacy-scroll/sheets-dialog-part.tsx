// Sheets for guardians are made by few: what makes them, and the word list, are fetched when somebody does.
import { later } from '../../ui/later.tsx';

export const SheetsDialog = later(async () => ({
  default: (await import('./sheets-dialog.tsx')).SheetsDialog,
}));

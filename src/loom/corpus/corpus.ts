// All texts that the Loom is tested on.
import { flatTexts } from './flat.ts';
import { hostileTexts } from './hostile.ts';
import { languageTexts } from './languages.ts';
import { richTexts } from './rich.ts';
import type { CorpusText } from './text.ts';

export const corpus: readonly CorpusText[] = [...richTexts, ...flatTexts, ...languageTexts, ...hostileTexts];

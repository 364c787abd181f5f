// The final breath as a list: there is one, or none.
import { breathKind } from '../kinds/breath.ts';
import { rowListOf } from './row-list.ts';

export const breathList = rowListOf('breath', breathKind, (row) => row);

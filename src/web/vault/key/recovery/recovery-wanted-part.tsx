// What asks for more recovery methods, in a part of its own: most who are new are asked, and nobody else loads it. The first
// view has it ready for them.
import { later } from '../../../ui/later.tsx';

export const RecoveryWanted = later(() => import('./recovery-wanted.tsx'));

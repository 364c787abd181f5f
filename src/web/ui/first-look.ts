// Shows the chosen look before anything is painted: a script of its own, which stands in the head of the document.
import { loadLook, showLook, watchLook } from './look.ts';

showLook(loadLook());
watchLook();

// Which other database answers at a server's own address, in words.
import type { Elsewhere } from './switch-state.ts';

export const elsewhereWords: Record<Elsewhere, string> = {
  another: 'A server with the same secret and another database answers at the address of this one.',
  ahead:
    'The same database answers at the address of this server, and has lived on there: this one is a copy of it, or an older state.',
  behind: 'An older state of this same database answers at the address of this server.',
};

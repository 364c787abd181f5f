import type { legacy } from '../../shared/nouns/legacy.ts';
import type { PlainCall } from '../../vault/api/plain-call.ts';
/** `legacy.state` of the contract. */
export declare const letterState: PlainCall<typeof legacy.state>;
/** `legacy.open` of the contract. */
export declare const openLetter: PlainCall<typeof legacy.open>;

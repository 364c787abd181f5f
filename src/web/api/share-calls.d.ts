import type { shares } from '../../shared/nouns/sacred-key.ts';
import type { PlainCall } from '../../vault/api/plain-call.ts';
/** `shares.state` of the contract. */
export declare const shareState: PlainCall<typeof shares.state>;
/** `shares.redeem` of the contract. */
export declare const redeemShare: PlainCall<typeof shares.redeem>;
/** `shares.acknowledge` of the contract, which answers nothing. */
export declare const acknowledgeShare: PlainCall<typeof shares.acknowledge>;

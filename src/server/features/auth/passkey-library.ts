// What of the library for passkeys is used, as one bundle: read file by file it takes five times as long. What reads
// certificates in it (`tsyringe`) ends without `Reflect.metadata`, so that comes first, as a file of its own: in a bundle
// a file's imports run before the statements that stand for the older kind of module.
import './passkey-reflection.ts';

export { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server';
export { decodeAttestationObject, isoBase64URL } from '@simplewebauthn/server/helpers';

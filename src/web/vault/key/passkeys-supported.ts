// Whether this browser knows passkeys at all, without loading what handles them.

export function passkeysSupported(): boolean {
  return typeof window.PublicKeyCredential === 'function';
}

// Base64 (RFC 4648).

/**
 * Strict: no other text is the base64 of the same bytes.
 * @param {string} text @returns {Uint8Array<ArrayBuffer> | null} null for none
 */
export function base64Bytes(text) {
  try {
    if (Uint8Array.fromBase64) {
      const bytes = Uint8Array.fromBase64(text, { lastChunkHandling: 'strict' });
      // It passes over white space.
      return Math.ceil(bytes.length / 3) * 4 === text.length ? bytes : null;
    }
    const binary = atob(text);
    const bytes = new Uint8Array(binary.length);
    for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
    return btoa(binary) === text ? bytes : null;
  } catch {
    return null;
  }
}

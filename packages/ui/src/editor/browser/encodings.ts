export function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** As Node decodes it: both alphabets, up to the first `=`; other characters are left out. */
export function fromBase64(text: string): Uint8Array {
  const clean = (text.split('=', 1)[0] ?? '')
    .replace(/-/g, '+')
    .replace(/_/g, '/')
    .replace(/[^A-Za-z0-9+/]/g, '');
  // A single character at the end has no byte.
  const binary = atob(clean.length % 4 === 1 ? clean.slice(0, -1) : clean);
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

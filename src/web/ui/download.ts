// Handing a file that was made in this browser to the person in front of it.

/** How long the address of a large file holds, in milliseconds: Safari takes a while to take it over. */
const HELD_FOR = 40_000;

/** Saves bytes under a name, as if a link had been pressed. */
export function download(bytes: Uint8Array, name: string, type: string): void {
  hand(new Blob([new Uint8Array(bytes)], { type }), name, 0);
}

/** The same for what may be large, and lie on the disk. */
export const downloadBlob = (blob: Blob, name: string): void => hand(blob, name, HELD_FOR);

function hand(blob: Blob, name: string, heldFor: number): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken the file over by the next task; until then the address must hold.
  setTimeout(() => URL.revokeObjectURL(url), heldFor);
}

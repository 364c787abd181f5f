// Handing a file that was made in this browser to the person in front of it.

/** Saves bytes under a name, as if a link had been pressed. */
export function download(bytes: Uint8Array, name: string, type: string): void {
  const url = URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken the file over by the next task; until then the address must hold.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}

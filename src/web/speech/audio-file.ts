// What the page can say of a file before anybody has heard it. Its name and type are somebody's word: the server looks at
// the bytes.

export const isAudio = (file: Pick<File, 'type'>): boolean => file.type.startsWith('audio/');

/** Such as "2.4 MB"; never "0.0 MB" for something. */
export function inMegabytes(bytes: number): string {
  const megabytes = bytes / (1024 * 1024);
  return `${(bytes === 0 ? 0 : Math.max(0.1, megabytes)).toFixed(1)} MB`;
}

/** Such as "3:07". */
export function inMinutes(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

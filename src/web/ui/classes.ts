// Joins class names; knows nothing of what they mean and never merges or reorders them.

/** Joins the names that hold, with single spaces. */
export function classes(...names: (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(' ');
}

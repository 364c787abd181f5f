// An invitation as people bring one: behind the `#` of a link, or pasted, with the link around it or without. Pure.

/** What stands behind `invitation=`, whatever a mail program has glued around it. */
const IN_LINK = /invitation(?:=|%3d)([\w-]+)/i;

/** @param hash the address bar's, with its `#`. Returns an empty string when it holds no invitation */
export const readInvitation = (hash: string): string => IN_LINK.exec(hash)?.[1] ?? '';

/** The invitation in what was pasted: a whole link, or the text itself. */
export const pastedInvitation = (text: string): string => IN_LINK.exec(text)?.[1] ?? text.trim();

/** As the calls that create an account take it; nothing where there is none. */
export function asBody(text: string): { invitation?: string } {
  const invitation = pastedInvitation(text);
  return invitation === '' ? {} : { invitation };
}

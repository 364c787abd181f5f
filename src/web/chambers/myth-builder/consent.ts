// Which language models somebody agreed to have their words read by, kept in this browser for this account.

const SLOT = 'latebra.story-consent';
/** Far more models than one server has in turn. */
const MODELS_KEPT = 20;

/** What was agreed to in this page, by account: also where the browser keeps nothing. */
const agreed = new Map<string, readonly string[]>();

function load(uid: string): readonly string[] {
  const known = agreed.get(uid);
  if (known) return known;
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(`${SLOT}:${uid}`) ?? '[]');
    return Array.isArray(kept) ? kept.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}

function keep(uid: string, ids: readonly string[]): void {
  try {
    if (ids.length === 0) localStorage.removeItem(`${SLOT}:${uid}`);
    else localStorage.setItem(`${SLOT}:${uid}`, JSON.stringify(ids));
    agreed.delete(uid);
  } catch {
    agreed.set(uid, ids);
  }
}

/** @param writerId of the contract: another one for every address and model */
export const hasAgreed = (uid: string, writerId: string): boolean => load(uid).includes(writerId);

export function agree(uid: string, writerId: string): void {
  keep(uid, [...load(uid).filter((id) => id !== writerId), writerId].slice(-MODELS_KEPT));
}

/** From now on the form asks again. */
export function revoke(uid: string, writerId: string): void {
  keep(
    uid,
    load(uid).filter((id) => id !== writerId),
  );
}

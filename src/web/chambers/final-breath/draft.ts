// The draft of a final breath: which wordings of it were sent, so that none is taken for another when an answer is lost.

/** The name under which the draft is kept. */
export const BREATH_DRAFT = 'final-breath';

export interface BreathDraft {
  content: string;
  /** Under which exactly this wording was sent; null while it was not. One whose answer was lost is known again by it. */
  sealId: string | null;
  /** Under which earlier wordings were sent. One of them may stand sealed, its answer lost. */
  earlier: string[];
}

export const blankDraft: BreathDraft = { content: '', sealId: null, earlier: [] };

/** A draft as it is written on: what was sent of it was another wording. */
export function reworded({ sealId, earlier }: BreathDraft, content: string): BreathDraft {
  return { content, sealId: null, earlier: sealId === null ? earlier : [...earlier, sealId] };
}

/** What becomes of a draft once a breath stands sealed: only the very wording that was sealed is dropped. */
export function fateOf(draft: BreathDraft | null, sealed: string | null): 'none' | 'drop' | 'keep' {
  if (!draft || draft.content.trim() === '') return 'none';
  return sealed !== null && draft.sealId === sealed ? 'drop' : 'keep';
}

// Sealed boxes as a hostile server would make them: anyone who knows a vault's recipient can.
import { sealerTo } from '../server/adapters/sealed-box.ts';

/** Seals texts by their fields to a recipient, for a row of any kind. */
export async function forgeBoxes(
  recipient: string,
  { kind, sealId }: { kind: string; sealId: string },
  texts: Record<string, string>,
): Promise<Record<string, string>> {
  const seal = await sealerTo(recipient);
  if (!seal) throw new Error('nothing can be sealed to this recipient');
  const boxes = Object.entries(texts).map(
    async ([field, text]) => [field, await seal(text, { kind, field, sealId })] as const,
  );
  return Object.fromEntries(await Promise.all(boxes));
}

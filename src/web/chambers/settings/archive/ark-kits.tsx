// Which guardians' kits an Ark opens with as well. There is nothing of it in a vault without kits.
import { sentenceOf } from '../../../../vault/api/api-error.ts';
import { isWholeKit, kitList, type WholeKit } from '../../../../vault/outbox/kit-writer.ts';
import { Checkbox } from '../../../ui/choice-fields.tsx';
import { useRows } from '../../../vault/session/use-rows.ts';

interface ArkKitsProps {
  chosen: readonly WholeKit[];
  onChange: (chosen: readonly WholeKit[]) => void;
}

export default function ArkKits({ chosen, onChange }: ArkKitsProps) {
  const list = useRows(kitList, { refetchOnMount: 'always' });
  const kits = (list.data ?? []).filter(isWholeKit);
  const choose = (kit: WholeKit, isChosen: boolean) =>
    onChange([...chosen.filter(({ id }) => id !== kit.id), ...(isChosen ? [kit] : [])]);
  return (
    <>
      {list.isError && (
        <p className="text-note text-dust">
          Your guardians’ kits cannot be chosen now. {sentenceOf(list.error)}
        </p>
      )}
      {kits.map((kit) => (
        <Checkbox
          key={kit.id}
          label={
            <>
              Opens with the sheets of <bdi>“{kit.details.name}”</bdi> as well, at once and without the wait
            </>
          }
          hint={`Any ${kit.needed} of these sheets and this file are enough. You are not told and cannot stop it, and removing the kit does not end it.`}
          checked={chosen.some(({ id }) => id === kit.id)}
          onChange={(event) => choose(kit, event.target.checked)}
        />
      ))}
    </>
  );
}

// What a regeneration will do, in numbers, before it does it.
import type { WithheldCount } from '../../../../shared/sealed-kinds.ts';
import { everythingSealedAnew } from '../../../../vault/kinds/vault-kinds.ts';
import { capitalised } from '../../../ui/capitalised.ts';
import type { Survey } from './regenerate.ts';

/** "1 memory", "2 memories". */
const count = (n: number, one: string, many: string) =>
  `${n.toLocaleString('en-GB')} ${n === 1 ? one : many}`;

/** What may not be fetched, in words. */
const withheldInWords: Record<WithheldCount, (number: number) => string> = {
  lockedMemories: (number) => count(number, 'locked memory', 'locked memories'),
  ghosts: (number) => count(number, 'ghost thought', 'ghost thoughts'),
  breath: () => 'the final breath',
};

export function Found({ survey }: { survey: Survey }) {
  const { opened, left, outside, unknownKits, withheld, missing, kits } = survey;
  const kept = Object.entries(withheldInWords).flatMap(([name, words]) => {
    const number = withheld[name as WithheldCount];
    return number > 0 ? words(number) : [];
  });
  return (
    <dl className="grid gap-6">
      <Fact term="Sealed anew" value={count(opened.length, 'entry', 'entries')}>
        {`${capitalised(everythingSealedAnew)}.`}
      </Fact>
      {kits.length > 0 && (
        <Fact term="Guardians’ kits" value={kits.map((name) => `“${name}”`).join(', ')}>
          Their sheets open the new key as well, after the wait. Somebody who has the old key can have made a
          kit: if you do not know one, or no longer trust its guardians, remove it in the settings first.
        </Fact>
      )}
      {unknownKits.length > 0 && (
        <Fact
          term="Not in your vault’s book"
          value={count(unknownKits.length, 'guardians’ kit', 'guardians’ kits')}
        >
          The server shows what your book does not have: it was removed, or nobody of yours has made it. Its
          sheets do not open the new key.
        </Fact>
      )}
      {kept.length > 0 && (
        <Fact term="Stays under the old key" value={kept.join(', ')}>
          The server does not give these out now. They keep the old key, which is kept for them, sealed under
          the new one. They open as before, and are sealed anew once they have been opened.
        </Fact>
      )}
      {withheld.whispers > 0 && (
        <Fact
          term="Stays sealed to the old address"
          value={
            withheld.whispers === 1
              ? '1 whisper that another left for you'
              : `${withheld.whispers.toLocaleString('en-GB')} whispers that others left for you`
          }
        >
          The old key, which is kept for them, goes on opening them.
        </Fact>
      )}
      {outside.length > 0 && (
        <Fact term="Arrived from outside" value={count(outside.length, 'entry', 'entries')}>
          It opens under an older key of yours, and was not among what stayed under it when that key was
          replaced. Somebody who has the older key may have put it there. It stays as it is until you say that
          it is yours.
        </Fact>
      )}
      {missing > 0 && (
        <Fact term="Not shown by the server" value={count(missing, 'entry', 'entries')}>
          Your vault’s book has more than the server shows, and what it does not show is not sealed anew. If
          it comes back, it opens under the old key and is marked as arrived from outside. Look at The Book
          first.
        </Fact>
      )}
      {left.length > 0 && (
        <Fact term="Left as it is" value={count(left.length, 'entry', 'entries')}>
          No key of yours opens what is left here. It stays listed, and stays unreadable.
        </Fact>
      )}
    </dl>
  );
}

function Fact({ term, value, children }: { term: string; value: string; children: string }) {
  return (
    <div>
      <dt className="label text-dust">{term}</dt>
      <dd className="mt-2">
        <span className="font-display text-[1.375rem]/[1.2] font-medium">{value}</span>
        <span className="mt-1 block text-note text-dust">{children}</span>
      </dd>
    </div>
  );
}

// Who may create an account on this server: the administrator's switch, and the invitations beside it.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type SignUpMode, signUp } from '../../../shared/nouns/sign-up.ts';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import { useApi } from '../../api/services.tsx';
import { useAnswer } from '../../api/use-answer.ts';
import { SelectField } from '../../ui/choice-fields.tsx';
import { Section } from '../../ui/section.tsx';
import { ErrorState, LoadingRows } from '../../ui/states.tsx';
import { toast } from '../../ui/toaster.tsx';
import { Invitations } from './invitations.tsx';

const MODES: { value: SignUpMode; label: string }[] = [
  { value: 'open', label: 'Everybody' },
  { value: 'invitation', label: 'Whoever has an invitation' },
  { value: 'closed', label: 'Nobody' },
];

const KEY = [signUp.settings.path];

export function SignUpSettings() {
  const { send } = useApi();
  const queryClient = useQueryClient();
  const settings = useAnswer(signUp.settings, { refetchOnMount: 'always' });
  const [wanted, setWanted] = useState<SignUpMode | null>(null);

  async function choose(mode: SignUpMode) {
    setWanted(mode);
    try {
      queryClient.setQueryData(KEY, await send(signUp.put, { body: { mode } }));
      toast({ title: 'New accounts', description: SAYS[mode] });
    } catch (error) {
      toast({ title: 'Nothing was changed', description: sentenceOf(error), tone: 'destructive' });
      await settings.refetch();
    } finally {
      setWanted(null);
    }
  }

  return (
    <Section
      title="New accounts"
      says="Who may create an account on this server. Those who have one keep it."
    >
      {settings.isPending && <LoadingRows rows={1} label="Fetching who may create an account" />}
      {settings.isError && (
        <ErrorState onRetry={() => void settings.refetch()}>{sentenceOf(settings.error)}</ErrorState>
      )}
      {settings.data && (
        <>
          <SelectField
            label="Who may create an account"
            choices={MODES}
            value={wanted ?? settings.data.mode}
            disabled={settings.data.byConfiguration || wanted !== null}
            onChange={(event) => void choose(event.target.value as SignUpMode)}
            hint={
              settings.data.byConfiguration
                ? 'Set by SIGN_UP in the configuration of this server. It is changed there.'
                : SAYS[settings.data.mode]
            }
          />
          <Invitations counts={settings.data.mode === 'invitation'} />
        </>
      )}
    </Section>
  );
}

const SAYS: Record<SignUpMode, string> = {
  open: 'Everybody who reaches this server may create an account.',
  invitation: 'A new account needs an invitation, which is good for one.',
  closed: 'Nobody can create an account now, with an invitation or without.',
};

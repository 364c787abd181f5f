// Who may create an account here. Asked once the gate is shown, so that the door behind it knows already.
import { useQuery } from '@tanstack/react-query';
import { signUp } from '../../../shared/nouns/sign-up.ts';
import { useApi } from '../../api/services.tsx';

export function useSignUp() {
  const { send } = useApi();
  return useQuery({
    queryKey: [signUp.get.path],
    queryFn: () => send(signUp.get, {}),
    refetchOnMount: 'always',
  });
}

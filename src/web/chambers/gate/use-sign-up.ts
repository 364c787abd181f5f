// Who may create an account here. Asked once the gate is shown, so that the door behind it knows already.
import { useQuery } from '@tanstack/react-query';
import { signUp } from '../../../shared/sign-up.ts';
import { send } from '../../api/client.ts';

export const useSignUp = () =>
  useQuery({ queryKey: [signUp.get.path], queryFn: () => send(signUp.get, {}), refetchOnMount: 'always' });

// What the whole app shares: its calls to the server, and what they have answered. Made once, at the root, and handed
// down from there; no module keeps either, so that tests can have as many apps as they like.
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext } from 'react';
import type { ApiClient } from '../../vault/api/api-client.ts';
import { isTooOld, noteNewerContract } from './app-state.ts';
import { type ApiClientOptions, createApiClient } from './client.ts';
import { createQueryClient } from './query-client.ts';

export interface Services {
  api: ApiClient;
  queryClient: QueryClient;
}

export function createServices(options?: ApiClientOptions): Services {
  const queryClient = createQueryClient();
  const api = createApiClient({
    hearContract: (contract) => noteNewerContract(queryClient, contract),
    isTooOld: () => isTooOld(queryClient),
    ...options,
  });
  return { api, queryClient };
}

const ServicesContext = createContext<Services | null>(null);

export function ServicesProvider({ services, children }: { services: Services; children: ReactNode }) {
  return (
    <ServicesContext value={services}>
      <QueryClientProvider client={services.queryClient}>{children}</QueryClientProvider>
    </ServicesContext>
  );
}

/** Both, for functions outside React. Components take `useApi`, and `useQueryClient` of TanStack Query. */
export function useServices(): Services {
  const services = useContext(ServicesContext);
  if (!services) throw new Error('useServices is used outside ServicesProvider');
  return services;
}

/** The calls. Its functions may be taken apart: `const { send } = useApi();`. */
export const useApi = (): ApiClient => useServices().api;

// The whole app beneath what it shares. It is mounted once in a browser (main.tsx), and often in tests.
import { type Services, ServicesProvider } from './api/services.tsx';
import { Routes } from './routes.tsx';
import { ArrivalAnnouncer } from './ui/arrival.tsx';
import { Toaster } from './ui/toaster.tsx';

export function App({ services }: { services: Services }) {
  return (
    <ServicesProvider services={services}>
      <ArrivalAnnouncer>
        <Routes />
      </ArrivalAnnouncer>
      <Toaster />
    </ServicesProvider>
  );
}

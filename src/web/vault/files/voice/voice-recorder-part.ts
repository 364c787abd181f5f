// The recorder, in a file of its own: it is fetched when somebody wants to record.
import { later } from '../../../ui/later.tsx';

export const VoiceRecorder = later(() => import('./voice-recorder.tsx'));

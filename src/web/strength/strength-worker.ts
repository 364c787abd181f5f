// Judges passphrases off the main thread, so that typing stays smooth. It fetches nothing and keeps nothing.
import { type Judgement, judgePassphrase } from './judge.ts';

export interface StrengthRequest {
  passphrase: string;
  known: readonly string[];
}

export type StrengthReply = Judgement;

self.onmessage = ({ data }: MessageEvent<StrengthRequest>) => {
  self.postMessage(judgePassphrase(data.passphrase, data.known) satisfies StrengthReply);
};

// The transports of a configuration: mail by SMTP, text messages by Twilio, each or neither.
import type { Config } from '../config.ts';
import { createMailTransport } from './mail.ts';
import { createSmsTransport } from './sms.ts';
import type { Transports } from './transport.ts';

/** Connects to nobody yet. */
export function createTransports({ mail, sms, publicUrl }: Config): Transports {
  return {
    email: mail && publicUrl && createMailTransport({ mail, instance: publicUrl }),
    sms: sms && createSmsTransport({ sms }),
  };
}

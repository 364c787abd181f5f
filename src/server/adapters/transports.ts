// The couriers of a configuration: mail by SMTP, text messages by Twilio, each or neither.
import type { Config } from '../config.ts';
import type { Couriers } from './transport.ts';
import { createMailCourier } from './mail.ts';
import { createSmsCourier } from './sms.ts';

/** Connects to nobody yet. */
export function createCouriers({ mail, sms, publicUrl }: Config): Couriers {
  return {
    email: mail && publicUrl && createMailCourier({ mail, house: publicUrl }),
    sms: sms && createSmsCourier({ sms }),
  };
}

// Conversations: messages by day, by month or as one, as entries. Pure.

import type { Calendar, OtherCalendar } from './calendars.ts';
import type { ImportFormat, NamedFile, ParsedEntry } from './imported-entry.ts';
import { longDate } from './local-times.ts';

export interface ChatMessage {
  /** `2023-12-31T23:59`, by the clock of the phone that it was exported from. */
  at: string;
  /** Empty for what nobody in particular says. */
  from: string;
  text: string;
  /** What was sent with it. */
  file?: NamedFile;
}

/** The orders of day, month and year, likely ones first. */
export const numberOrders = ['dmy', 'mdy', 'ymd'] as const;
type NumberOrder = (typeof numberOrders)[number];

/** In which order a file writes day, month and year, and by which calendar where it is not ours. */
export type DateOrder = NumberOrder | `${NumberOrder} ${OtherCalendar}`;

/** The two parts of an order. */
export function partsOfOrder(order: DateOrder): { numbers: NumberOrder; calendar: Calendar } {
  const [numbers, calendar = 'gregorian'] = order.split(' ') as [NumberOrder, OtherCalendar?];
  return { numbers, calendar };
}

export interface Chat {
  format: ImportFormat & ('whatsapp' | 'telegram');
  /** What it is known by. */
  id: string;
  name: string;
  /** The messages, in their order. @param order for a file in which it cannot be known for certain */
  messages(order?: DateOrder): ChatMessage[];
  /** What the dates of the file allow, the likeliest first; one alone is certain. Empty where nothing has to be guessed. */
  orders: readonly DateOrder[];
}

export const groupings = [
  { value: 'day', label: 'One memory for each day' },
  { value: 'month', label: 'One memory for each month' },
  { value: 'whole', label: 'One memory for each conversation' },
] as const;
export type Grouping = (typeof groupings)[number]['value'];

const keyLength: Record<Grouping, number> = { day: 10, month: 7, whole: 0 };

/** The entries of a conversation, in the order of its messages. */
export function groupChat(chat: Chat, grouping: Grouping, order?: DateOrder): ParsedEntry[] {
  const groups = new Map<string, ChatMessage[]>();
  for (const message of chat.messages(order)) {
    const key = message.at.slice(0, keyLength[grouping]);
    const group = groups.get(key);
    if (group) group.push(message);
    else groups.set(key, [message]);
  }
  return [...groups].map(([key, messages]) => ({
    ...filesOf(messages),
    format: chat.format,
    title: key === '' ? chat.name : `${chat.name}, ${longDate(key)}`,
    content: grouping === 'day' ? lines(messages).join('\n') : withDays(messages),
    happenedOn: messages[0]?.at.slice(0, 10) ?? null,
    tags: [],
    sourceId: `${chat.id}/${key}`,
    grows: true,
  }));
}

const filesOf = (messages: readonly ChatMessage[]): Pick<ParsedEntry, 'files'> => {
  const files = messages.flatMap(({ file }) => file ?? []);
  return files.length > 0 ? { files } : {};
};

const lines = (messages: readonly ChatMessage[]) =>
  messages.map(({ at, from, text }) => `${at.slice(11)} ${from === '' ? '' : `${from}: `}${text}`);

/** Each day with its date above it. */
function withDays(messages: readonly ChatMessage[]): string {
  const days: { day: string; messages: ChatMessage[] }[] = [];
  for (const message of messages) {
    const day = message.at.slice(0, 10);
    const last = days.at(-1);
    if (last?.day === day) last.messages.push(message);
    else days.push({ day, messages: [message] });
  }
  return days.map((one) => [longDate(one.day), ...lines(one.messages)].join('\n')).join('\n\n');
}

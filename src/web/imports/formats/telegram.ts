// Telegram: `result.json` of Telegram Desktop, of one chat or of a whole account. Pure.
import type { Chat, ChatMessage } from '../chats.ts';
import {
  isObject,
  type Json,
  type LeftOutList,
  type NamedFile,
  objectsIn,
  textOf,
} from '../imported-entry.ts';
import { readLocal, stampInZone } from '../local-times.ts';

const isChat = (json: unknown): json is Json =>
  isObject(json) && Array.isArray(json.messages) && typeof json.type === 'string';

const listsOf = (json: Json) =>
  ['chats', 'left_chats'].flatMap((member) => {
    const lists = json[member];
    return isObject(lists) ? objectsIn(lists.list) : [];
  });

/** Whether JSON is an export: of one chat, or of many. */
export const isTelegram = (json: unknown): json is Json =>
  isChat(json) ? isTelegramChat(json) : isObject(json) && listsOf(json).some(isChat);

const isTelegramChat = (json: Json) =>
  objectsIn(json.messages).length === 0 ||
  objectsIn(json.messages)
    .slice(0, 20)
    .some(({ type, date }) => (type === 'message' || type === 'service') && typeof date === 'string');

/** The conversations of an export. Notices, such as of who has joined, and files are left out and counted. */
export function parseTelegram(json: Json, path: string, leftOut: LeftOutList): Chat[] {
  const chats = isChat(json) ? [json] : listsOf(json).filter(isChat);
  return chats.flatMap((chat) => {
    const messages = objectsIn(chat.messages).flatMap((message) => parseMessage(message, path, leftOut));
    if (messages.length === 0) return [];
    const { id, name } = chat;
    const called = textOf(name) || (chat.type === 'saved_messages' ? 'Saved Messages' : 'A deleted account');
    const known = typeof id === 'number' || typeof id === 'string' ? String(id) : called;
    return [{ format: 'telegram', id: known, name: called, orders: [], messages: () => messages }];
  });
}

function parseMessage(message: Json, from: string, leftOut: LeftOutList): ChatMessage[] {
  if (message.type === 'service') {
    leftOut.add('notice');
    return [];
  }
  const at = stampOf(message);
  if (at === null) return [];
  const media = mediaOf(message, from, leftOut);
  const forwarded = textOf(message.forwarded_from);
  const parts = [
    forwarded && `[Forwarded from ${forwarded}]`,
    media.text,
    pollOf(message.poll),
    placeOf(message.location_information),
    contactOf(message.contact_information),
    plainText(message.text),
  ].filter(Boolean);
  return parts.length === 0
    ? []
    : [
        {
          at,
          from: textOf(message.from) || 'Deleted account',
          text: parts.join('\n'),
          ...(media.file && { file: media.file }),
        },
      ];
}

/**
 * The time by the clock of the computer that it was exported on. Days are what conversations are known by: where the file
 * has the instant alone, it is told in UTC, and not by the clock of whoever imports it.
 */
function stampOf(message: Json): string | null {
  const local = readLocal(textOf(message.date));
  if (local?.includes('T')) return local;
  const seconds = Number(message.date_unixtime);
  return Number.isFinite(seconds) && seconds > 0 ? stampInZone(seconds * 1000, 'UTC') : null;
}

/** A text is a string, or pieces of which some are formatted. */
function plainText(text: unknown): string {
  if (!Array.isArray(text)) return textOf(text);
  return text
    .map((piece: unknown) => {
      if (!isObject(piece)) return textOf(piece);
      const [words, href] = [textOf(piece.text), textOf(piece.href)];
      return href !== '' && href !== words ? `${words} (${href})` : words;
    })
    .join('');
}

const MEDIA_NAMES = new Map([
  ['voice_message', 'Voice message'],
  ['video_message', 'Video message'],
  ['video_file', 'Video'],
  ['audio_file', 'Audio'],
  ['animation', 'Animation'],
]);

function mediaOf(message: Json, from: string, leftOut: LeftOutList): { text: string; file?: NamedFile } {
  const sticker = textOf(message.sticker_emoji);
  if (message.media_type === 'sticker') return { text: `[Sticker${sticker && ` ${sticker}`}]` };
  const photo = message.photo !== undefined;
  if (!photo && message.file === undefined) return { text: '' };
  const file = textOf(photo ? message.photo : (message.file_name ?? message.file));
  // What Telegram did not export has a remark in brackets in place of its path.
  const name = file.startsWith('(') ? '' : (file.split('/').at(-1) ?? '');
  const path = textOf(photo ? message.photo : message.file);
  const named = name && !path.startsWith('(') ? { name, sought: [path], from } : undefined;
  if (named) leftOut.addNamed(named);
  else leftOut.add('media', name || undefined);
  const kind = photo ? 'Photo' : (MEDIA_NAMES.get(textOf(message.media_type)) ?? 'File');
  return { text: `[${kind} left out${name && `: ${name}`}]`, ...(named && { file: named }) };
}

function pollOf(poll: unknown): string {
  if (!isObject(poll)) return '';
  const answers = objectsIn(poll.answers).map(({ text }) => `- ${plainText(text)}`);
  return [`Poll: ${plainText(poll.question)}`, ...answers].join('\n');
}

function placeOf(place: unknown): string {
  if (!isObject(place)) return '';
  return `[Place: ${Number(place.latitude)}, ${Number(place.longitude)}]`;
}

function contactOf(contact: unknown): string {
  if (!isObject(contact)) return '';
  const words = ['first_name', 'last_name', 'phone_number'].map((member) => textOf(contact[member]));
  return `[Contact: ${words.filter(Boolean).join(' ')}]`;
}

import * as z from 'zod/mini';

declare const memory: z.ZodMiniObject<
  {
    sealId: z.ZodMiniString<string>;
    title: z.ZodMiniString<string>;
    content: z.ZodMiniString<string>;
    timeLockUntil: z.ZodMiniNullable<z.ZodMiniISODateTime>;
    createdAt: z.ZodMiniISODateTime;
    updatedAt: z.ZodMiniISODateTime;
  },
  z.core.$strip
>;
export type ExportedMemory = z.output<typeof memory>;
declare const relationship: z.ZodMiniObject<
  {
    sealId: z.ZodMiniString<string>;
    personName: z.ZodMiniString<string>;
    eventType: z.ZodMiniEnum<{
      argument: 'argument';
      beginning: 'beginning';
      betrayal: 'betrayal';
      confession: 'confession';
      ending: 'ending';
      forgiveness: 'forgiveness';
      moment: 'moment';
      reconciliation: 'reconciliation';
    }>;
    emotionalWeight: z.ZodMiniInt;
    content: z.ZodMiniString<string>;
    createdAt: z.ZodMiniISODateTime;
    updatedAt: z.ZodMiniISODateTime;
  },
  z.core.$strip
>;
export type ExportedRelationship = z.output<typeof relationship>;
declare const leftOut: z.ZodMiniObject<
  {
    locked: z.ZodMiniArray<
      z.ZodMiniObject<
        {
          title: z.ZodMiniNullable<z.ZodMiniString<string>>;
          timeLockUntil: z.ZodMiniISODateTime;
          createdAt: z.ZodMiniISODateTime;
        },
        z.core.$strip
      >
    >;
    unreadable: z.ZodMiniArray<
      z.ZodMiniObject<
        {
          kind: z.ZodMiniEnum<{
            memory: 'memory';
            relationship: 'relationship';
          }>;
          id: z.ZodMiniInt;
          createdAt: z.ZodMiniISODateTime;
        },
        z.core.$strip
      >
    >;
    ghosts: z.ZodMiniInt;
    breath: z.ZodMiniBoolean<boolean>;
    answers: z.ZodMiniBoolean<boolean>;
  },
  z.core.$strip
>;
export type LeftOut = z.output<typeof leftOut>;
declare const schema: z.ZodMiniObject<
  {
    format: z.ZodMiniLiteral<'latebra/entries'>;
    v: z.ZodMiniLiteral<1>;
    memories: z.ZodMiniArray<
      z.ZodMiniObject<
        {
          sealId: z.ZodMiniString<string>;
          title: z.ZodMiniString<string>;
          content: z.ZodMiniString<string>;
          timeLockUntil: z.ZodMiniNullable<z.ZodMiniISODateTime>;
          createdAt: z.ZodMiniISODateTime;
          updatedAt: z.ZodMiniISODateTime;
        },
        z.core.$strip
      >
    >;
    relationships: z.ZodMiniArray<
      z.ZodMiniObject<
        {
          sealId: z.ZodMiniString<string>;
          personName: z.ZodMiniString<string>;
          eventType: z.ZodMiniEnum<{
            argument: 'argument';
            beginning: 'beginning';
            betrayal: 'betrayal';
            confession: 'confession';
            ending: 'ending';
            forgiveness: 'forgiveness';
            moment: 'moment';
            reconciliation: 'reconciliation';
          }>;
          emotionalWeight: z.ZodMiniInt;
          content: z.ZodMiniString<string>;
          createdAt: z.ZodMiniISODateTime;
          updatedAt: z.ZodMiniISODateTime;
        },
        z.core.$strip
      >
    >;
    answers: z.ZodMiniNullable<
      z.ZodMiniObject<
        {
          question1: z.ZodMiniString<string>;
          question2: z.ZodMiniString<string>;
          question3: z.ZodMiniString<string>;
          createdAt: z.ZodMiniISODateTime;
        },
        z.core.$strip
      >
    >;
    leftOut: z.ZodMiniObject<
      {
        locked: z.ZodMiniArray<
          z.ZodMiniObject<
            {
              title: z.ZodMiniNullable<z.ZodMiniString<string>>;
              timeLockUntil: z.ZodMiniISODateTime;
              createdAt: z.ZodMiniISODateTime;
            },
            z.core.$strip
          >
        >;
        unreadable: z.ZodMiniArray<
          z.ZodMiniObject<
            {
              kind: z.ZodMiniEnum<{
                memory: 'memory';
                relationship: 'relationship';
              }>;
              id: z.ZodMiniInt;
              createdAt: z.ZodMiniISODateTime;
            },
            z.core.$strip
          >
        >;
        ghosts: z.ZodMiniInt;
        breath: z.ZodMiniBoolean<boolean>;
        answers: z.ZodMiniBoolean<boolean>;
      },
      z.core.$strip
    >;
  },
  z.core.$strip
>;
export type EntriesFile = z.output<typeof schema>;
export declare const ENTRIES_FILE = 'entries.json';
export declare function entriesToText(entries: Omit<EntriesFile, 'format' | 'v'>): string;
/** The entries of an archive; null when the text is not what `entriesToText` makes. */
export declare function entriesFromText(text: string): EntriesFile | null;

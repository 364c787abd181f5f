// What an import would bring, before it does: what was found, how it is arranged, what stays behind, and each memory.

import { useState } from 'react';
import { counted } from '../../../shared/counted.ts';
import { formatBytes } from '../../../shared/nouns/usage.ts';
import { tagsProblem } from '../../../vault/entries/details.ts';
import { type DateOrder, type Grouping, groupings } from '../../imports/chats.ts';
import type { PreviewRow, RowFile, SourceSummary } from '../../imports/import-messages.ts';
import { formatNames } from '../../imports/imported-entry.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/choice-fields.tsx';
import { Problem } from '../../ui/problem.tsx';
import { TextField } from '../../ui/text-fields.tsx';
import { formatHappened } from '../../vault/entries/happened.ts';
import { FilesChoice } from '../../vault/files/files-choice.tsx';
import { PlanLimit } from '../../vault/plan/plan-limit.tsx';
import type { Preview } from './compare-with-vault.ts';
import { PreviewRows } from './preview-rows.tsx';
import { dateOrderLabel, dateOrderQuestion, leftOutSentence } from './sentences.ts';
import { takeFocus, UnderwayPart } from './underway-part.tsx';
import type { useImports } from './use-imports.ts';

type PreviewProps = Omit<ReturnType<typeof useImports>, 'preview'> & { preview: Preview };

export function PreviewPart(props: PreviewProps) {
  const { preview, choices, chosen, change, withFiles, setWithFiles, problem, refusal } = props;
  // What is arranged anew may be arranged otherwise meanwhile; what is on its way in may not.
  const busy = props.bringing;
  const [tags, setTags] = useState('');
  const wrong = tagsProblem(tags);
  const { sources } = preview.read;
  const chats = sources.flatMap((source) => source.chats);
  const files = chosen.flatMap((row) => row.files);
  const dated = sources.filter((source) => source.chats.some(({ orders }) => orders.length > 1));
  return (
    <div className="grid gap-10">
      <ul aria-label="What was found" tabIndex={-1} ref={takeFocus} className="grid gap-4 outline-hidden">
        {sources.map((source) => (
          <FoundFile key={source.index} source={source} />
        ))}
      </ul>
      <div className="grid gap-x-10 gap-y-7 sm:grid-cols-2">
        {chats.length > 0 && (
          <SelectField
            label="Messages"
            hint="If you import this chat again in another way, its messages come in a second time."
            choices={groupings}
            value={choices.grouping}
            disabled={busy}
            onChange={(event) => change({ grouping: event.target.value as Grouping })}
          />
        )}
        {dated.map((source) => (
          <DateOrderField
            key={source.index}
            source={source}
            value={choices.orders[source.index]}
            disabled={busy}
            onChange={(order) => change({ orders: { ...choices.orders, [source.index]: order } })}
          />
        ))}
        <TextField
          label="A tag for all of them"
          optional
          hint="Separate several tags with commas."
          value={tags}
          error={wrong}
          disabled={busy}
          onChange={(event) => setTags(event.target.value)}
          autoComplete="off"
        />
      </div>
      {files.length > 0 && (
        <FilesChoice
          files={files.map(({ bytes }) => bytes)}
          texts={chosen.map(({ textBytes }) => textBytes)}
          wanted={withFiles}
          without="The words come alone, and say where a photo or a file was left out."
          disabled={busy}
          onChange={setWithFiles}
        />
      )}
      <LeftOutPart preview={preview} />
      <div className="grid gap-6">
        <div className="grid gap-6 border-b border-line pb-6">
          <Problem>{problem}</Problem>
          <PlanLimit error={refusal} said />
          {props.underway ? (
            <UnderwayPart underway={props.underway} takesFocus={busy} onCancel={props.stop} />
          ) : (
            <div className="flex flex-wrap items-end justify-between gap-x-10 gap-y-5">
              <Summary preview={preview} chosen={chosen} files={withFiles ? files : []} />
              <div className="flex flex-wrap gap-4 max-sm:w-full max-sm:*:grow">
                <Button
                  tone="primary"
                  disabled={chosen.length === 0 || wrong !== undefined}
                  onClick={() => void props.bring(tags)}
                >
                  Import {counted(chosen.length, 'memory', 'memories')}
                </Button>
                <Button onClick={props.clear}>Close without importing</Button>
              </div>
            </div>
          )}
        </div>
        <PreviewRows preview={preview} off={props.off} busy={busy} toggle={props.toggle} />
      </div>
    </div>
  );
}

function FoundFile({ source: { name, formats, entries, chats } }: { source: SourceSummary }) {
  const messages = chats.reduce((sum, chat) => sum + chat.messages, 0);
  const parts = [
    entries > 0 && counted(entries, 'entry', 'entries'),
    chats.length > 0 &&
      `${counted(messages, 'message', 'messages')} in ${counted(chats.length, 'conversation', 'conversations')}`,
  ];
  return (
    <li className="grid gap-x-8 gap-y-1 border-l border-ember/55 pl-5 sm:grid-cols-[10rem_1fr] sm:items-baseline">
      <span className="font-display text-name font-medium">
        {formats.map((format) => formatNames[format]).join(', ')}
      </span>
      <span className="text-note text-dust">
        <span className="font-machine text-small wrap-anywhere">{name}</span>
        {' · '}
        {parts.filter(Boolean).join(', ')}
      </span>
    </li>
  );
}

interface OrderProps {
  source: SourceSummary;
  value: DateOrder | undefined;
  disabled: boolean;
  onChange: (order: DateOrder) => void;
}

function DateOrderField({ source, value, disabled, onChange }: OrderProps) {
  const orders = source.chats.find((chat) => chat.orders.length > 1)?.orders ?? [];
  return (
    <SelectField
      label={`Dates in ${source.name}`}
      hint={dateOrderQuestion(orders)}
      choices={orders.map((order) => ({ value: order, label: dateOrderLabel(order) }))}
      value={value ?? orders[0]}
      disabled={disabled}
      onChange={(event) => onChange(event.target.value as DateOrder)}
    />
  );
}

function Summary({
  preview: { rows, here, grown },
  chosen,
  files,
}: {
  preview: Preview;
  chosen: readonly PreviewRow[];
  /** Those that come along. */
  files: readonly RowFile[];
}) {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const days = rows.flatMap(({ happenedOn }) =>
    happenedOn ? [formatHappened(happenedOn.split('T')[0] ?? '')] : [],
  );
  const [last, first] = [days[0], days.at(-1)];
  return (
    <div role="status" className="max-w-prose">
      <p className="text-lead">
        {chosen.length.toLocaleString('en-GB')} of {counted(rows.length, 'memory', 'memories')}
        {first && last && (first === last ? `, of ${first}` : `, ${first} to ${last}`)}
      </p>
      {files.length > 0 && (
        <p className="text-note text-dust">
          With {counted(files.length, 'photo or other file', 'photos and other files')}, {formatBytes(bytes)}{' '}
          together.
        </p>
      )}
      {here.size > 0 && (
        <p className="text-note text-dust">
          {counted(here.size, 'is', 'are')} here already and {here.size === 1 ? 'stays' : 'stay'} as{' '}
          {here.size === 1 ? 'it is' : 'they are'}.
        </p>
      )}
      {grown.size > 0 && (
        <p className="text-note text-dust">
          {counted(grown.size, 'part of a conversation', 'parts of conversations')} changed since an earlier
          import, and {grown.size === 1 ? 'comes' : 'come'} once more as a whole.
        </p>
      )}
    </div>
  );
}

function LeftOutPart({ preview: { leftOut } }: { preview: Preview }) {
  const all = leftOut.reduce((sum, { count }) => sum + count, 0);
  if (all === 0) return null;
  return (
    <details className="border-l border-line pl-5">
      <summary className="cursor-pointer py-1">{counted(all, 'thing is', 'things are')} left out</summary>
      <ul className="mt-3 grid gap-3 text-note text-dust">
        {leftOut.map((one) => (
          <li key={one.reason} className="grid gap-1">
            <span>{leftOutSentence(one)}.</span>
            {one.names.length > 0 && (
              <span className="max-h-24 overflow-y-auto font-machine text-tiny wrap-anywhere text-shade">
                {one.names.join(' · ')}
                {one.count > one.names.length &&
                  ` · and ${(one.count - one.names.length).toLocaleString('en-GB')} more`}
              </span>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}

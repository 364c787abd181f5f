// The dead man’s switch of a server, put together of its parts.
import type { Deps } from '../deps.ts';
import { fileJournal } from './clock/journal.ts';
import { uptimeMarks } from './clock/uptime-store.ts';
import { createSwitch, type Switch } from './engine.ts';
import { whilePaused } from './pause/paused-switch.ts';
import { endSisterSilences } from './sisters/silence-store.ts';
import { knownOrigin } from './watchdog/outside-look.ts';
import { createPing } from './watchdog/ping.ts';

export const assembleSwitch = (
  deps: Deps,
  given: Pick<Parameters<typeof createSwitch>[1], 'machine' | 'hasLooked' | 'onProved'>,
): Switch =>
  createSwitch(deps, {
    ...given,
    whilePaused: (clock) => whilePaused(deps, clock),
    endSisterSilences: (clock) => endSisterSilences(deps, clock),
    markUptime: uptimeMarks(deps.db),
    onBeat: createPing(deps.config.watchdogUrl, { log: deps.log }),
    journal: fileJournal(deps.config.dataDir),
    // The lock on the data folder sees to it.
    alone: deps.engine === 'sqlite',
    origin: knownOrigin(deps.config),
  });

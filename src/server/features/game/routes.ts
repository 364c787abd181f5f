// The black scroll's files, the decoder and the shadow. Nothing that solves the puzzle is in an answer that was not earned.
import type { Context, Hono } from 'hono';
import { game } from '../../../shared/nouns/game.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { addressBucket, clientAddress } from '../../http/client-address.ts';
import { CLAIMS, countGuess } from '../../http/guesses.ts';
import { route } from '../../http/route.ts';
import type { InstanceKey } from '../../signing/instance-key.ts';
import { decode } from './decoder.ts';
import { createScrollFiles } from './scroll-files.ts';
import { sendDownload } from './send-download.ts';

export function gameRoutes(app: Hono, deps: Deps, key: InstanceKey): void {
  const { puzzle } = deps;
  const files = createScrollFiles(puzzle, key);

  route(app, deps, game.file, async ({ params, c }) => {
    const file = await files.find(params.name);
    if (!file) throw new AppError('not-found');
    return sendDownload(c, file);
  });

  route(app, deps, game.shadowFile, async ({ c }) => sendDownload(c, await files.shadow()));

  route(app, deps, game.decode, async ({ body }) => decode(puzzle, body, new Date(deps.now())));

  route(app, deps, game.verify, async ({ body, c }) => {
    const guess = await countGuess(deps, {
      at: 'shadow',
      by: shadowBucket(deps, c),
      allowance: CLAIMS,
      noCeiling: true,
    });
    if (!puzzle.isPhrase(body.phrase)) throw new AppError('wrong-phrase');
    await guess.forgive();
    return { text: puzzle.shadowScroll, phrase: puzzle.phrase };
  });
}

/** Of whoever tries phrases at an address; apart from claims of links and scrolls, so that neither shuts the other. */
const shadowBucket = ({ config }: Pick<Deps, 'config'>, c: Context): string =>
  `shadow ${addressBucket(clientAddress(config, c))}`;

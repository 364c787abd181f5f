// What is typed on this machine to start, stop, back up and confirm, by the way in which its server is started.
import type { Facts } from './facts.ts';

export interface Commands {
  start: string[];
  stop: string[];
  /** After a change of the settings. */
  restart: string[];
  /** Shows whether it runs, and what it has said last. */
  look: string[];
  backup: string[];
  /** Where a backup is afterwards. */
  backupIs: string;
  confirm: string[];
  /** Prints this page again. */
  again: string[];
}

export type Placed = Pick<
  Facts,
  'way' | 'programDir' | 'dataDir' | 'isUsualDataDir' | 'postgres' | 'hasSecretInSettings'
>;

export function commandsFor(facts: Placed): Commands {
  const { way, programDir, dataDir, isUsualDataDir } = facts;
  const enter = `cd ${quote(programDir)}`;
  switch (way.kind) {
    case 'container': {
      const inside = (program: string) => `docker compose exec latebra node ${program}`;
      return {
        start: ['docker compose up -d'],
        stop: ['docker compose stop latebra'],
        restart: ['docker compose up -d'],
        look: ['docker compose ps', 'docker compose logs --tail 50 latebra'],
        ...backupOf(facts, {
          commands: [
            inside(`scripts/backup.mjs ${quote(`${dataDir}/backups`)}/$(date +%F)`),
            `docker compose cp latebra:${quote(`${dataDir}/backups`)} ./latebra-backups`,
          ],
          is: 'in latebra-backups, in the folder where you are',
        }),
        confirm: [inside('dist/server/confirm-switch.js')],
        again: [inside('dist/server/heir.js')],
      };
    }
    case 'service': {
      const { name, user, settings } = way;
      const as = (program: string) =>
        settings ? `sudo node --env-file=${quote(settings)} ${program}` : `sudo node ${program}`;
      const asUser = user ? `sudo -u ${user} ` : 'sudo ';
      const owner = user ? `--owner=${user} ` : '';
      return {
        start: [`sudo systemctl enable --now ${name}`],
        stop: [`sudo systemctl disable --now ${name}`],
        restart: [`sudo systemctl restart ${name}`],
        look: [`systemctl status ${name}`, `sudo journalctl -u ${name} -n 50`],
        ...backupOf(facts, {
          commands: [
            `sudo install --directory ${owner}--mode=0700 /var/backups/latebra`,
            enter,
            `${asUser}env DATA_DIR=${quote(dataDir)} node scripts/backup.mjs /var/backups/latebra/$(date +%F)`,
          ],
          is: 'a folder with the date as its name, in /var/backups/latebra',
        }),
        confirm: [enter, as('dist/server/confirm-switch.js')],
        again: [enter, as('dist/server/heir.js')],
      };
    }
    case 'npm': {
      const data = isUsualDataDir ? '' : `DATA_DIR=${quote(dataDir)} `;
      return {
        start: [enter, `${data}npm start`],
        stop: [],
        restart: [],
        look: [],
        ...backupOf(facts, {
          commands: [enter, `${data}npm run backup -- ~/latebra-backup-$(date +%F)`],
          is: 'in your own folder, as latebra-backup and the date',
        }),
        confirm: [enter, `${data}npm run confirm-switch`],
        again: [enter, `${data}npm run --silent heir`],
      };
    }
  }
}

type Backup = Pick<Commands, 'backup' | 'backupIs'>;

/** What scripts/backup.mjs copies is the embedded database. */
function backupOf(
  { way, postgres, dataDir, hasSecretInSettings }: Placed,
  embedded: { commands: string[]; is: string },
): Backup {
  if (!postgres) return { backup: embedded.commands, backupIs: embedded.is };
  const from = quote(`${dataDir}/secret.key`);
  const copy = {
    container: `docker compose cp latebra:${from} .`,
    service: `sudo cp ${from} .`,
    npm: `cp ${from} .`,
  };
  // The name that compose.yaml gives it is known within Docker alone.
  const isOfCompose = way.kind === 'container' && postgres.place?.host === 'postgres';
  const dump = isOfCompose
    ? `docker compose exec -T postgres pg_dump --username=latebra --no-owner --no-privileges ${postgres.place?.name} > latebra.sql`
    : 'pg_dump --no-owner --no-privileges --file=latebra.sql "$DATABASE_URL"';
  return {
    backup: hasSecretInSettings ? [dump] : [dump, copy[way.kind]],
    backupIs: `latebra.sql${hasSecretInSettings ? '' : ' and secret.key'}, in the folder where you are`,
  };
}

/** A word that a shell takes as it stands. */
export const quote = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

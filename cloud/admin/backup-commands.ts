// backup, verify, restore: the relay's database as a file. They work on paths, whether a relay runs or not.
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { makeCopyFolder, mustHaveFolder } from '#cloud/backup/copy-folder.ts'
import { clearParts, holdPlace, holdToTidy, passingFiles, reachPlace } from '#cloud/backup/copy-place.ts'
import { sumFileOf } from '#cloud/backup/copy-sum.ts'
import { type Deletions, deleteOldest } from '#cloud/backup/delete-oldest.ts'
import type { FileFacts, NewestRow } from '#cloud/backup/file-facts.ts'
import { FileRefusal } from '#cloud/backup/file-refusal.ts'
import type { Copied } from '#cloud/backup/file-tasks.ts'
import { inThread } from '#cloud/backup/in-thread.ts'
import { begunCopies, copyName } from '#cloud/backup/keep-copies.ts'
import { noteRestore } from '#cloud/backup/note-restore.ts'
import { firstOwn, ownFileAt } from '#cloud/backup/own-files.ts'
import { restoreFile } from '#cloud/backup/restore-file.ts'
import { movedFile } from '#cloud/storage/sqlite/sqlite-database.ts'
import { EXIT, LineError, type Output } from '#shared/cli/command.ts'
import { fromIso, toIso } from '#shared/clock.ts'
import { text } from '#shared/wire/api/fields.ts'
import { defineFileCommand } from './command.ts'
import type { FileContext } from './context.ts'
import { told } from './file-refusal.ts'

const path = () => text(4_096)

const countOfCopies = z
  .string()
  .refine((value) => /^[1-9]\d{0,5}$/.test(value) && Number(value) <= 100_000, {
    error: 'must be a whole number from 1 to 100000',
  })
  .transform(Number)

const backup = defineFileCommand({
  name: 'backup',
  summary: 'Writes a checked and synced copy of the database of the running or stopped relay',
  options: {
    to: path().optional().describe('File to make'),
    replace: z.boolean().default(false).describe('Put it in the place of a file of that name'),
    into: path().optional().describe('Instead of --to: a folder of copies named by their time; made if missing'),
    keep: countOfCopies.optional().describe('With --into: delete the oldest copies beyond so many'),
  },
  example: '--into /var/backups/ticketrail-relay --keep 48',
  run: async (context, { to, replace, into, keep }) => {
    mustKeepFile(context)
    if ((to === undefined) === (into === undefined)) throw new LineError('Say one of --to FILE and --into FOLDER.')
    if (keep !== undefined && into === undefined) throw new LineError('--keep counts the copies of --into.')
    const startedMs = context.clock.monotonicMs()
    const { file, letGo } = await told(to === undefined ? placeIn(context, into ?? '') : placeAt(context, to))
    const copy = { from: context.database, to: file, mayReplace: replace, withSum: true }
    const copied = await told(inThread({ do: 'copy', ...copy })).finally(letGo)
    const deletions = keep === undefined ? NO_DELETIONS : deleteOldest(context, dirname(file), keep)
    return toldCopy(copied, { ms: context.clock.monotonicMs() - startedMs, ...deletions })
  },
})

/** @throws LineError */
function mustKeepFile({ url }: FileContext): void {
  if (url !== null)
    throw new LineError(
      'The relay keeps everything on PostgreSQL (DATABASE_URL): this command is for its SQLite file. docs/postgres-backup.md says how to back up and restore a PostgreSQL database.',
    )
}

const NO_DELETIONS: Deletions = { deleted: [], notDeleted: [] }

const counted = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? '' : 's'}`

/** Where a copy is made, held for this program. */
interface Place {
  file: string
  letGo: () => void
}

/** @throws LineError, FileRefusal when another backup is being made there */
async function placeAt(context: FileContext, to: string): Promise<Place> {
  const file = context.pathOf(to)
  mayStandAt(context, file, '--to')
  mustHaveFolder(file)
  // Refused at once, because after a wait the file exists, and the answer would be that.
  const letGo = holdPlace(file)
  if (letGo !== null) return { file, letGo }
  throw new FileRefusal(`Another backup is writing ${file}: wait for its end, or say another --to.`)
}

/** @throws LineError, FileRefusal */
async function placeIn(context: FileContext, into: string): Promise<Place> {
  const folder = context.pathOf(into)
  makeCopyFolder(folder)
  clearDead(context, folder)
  const isTaken = (file: string) => existsSync(file) || existsSync(sumFileOf(file))
  // Two copies of one second, also two at once: the later one has the name of the next that is free.
  for (let atMs = context.clock.now(); ; atMs += 1_000) {
    const file = join(folder, copyName(atMs))
    if (isTaken(file)) continue
    mayStandAt(context, file, '--into')
    const letGo = await reachPlace(file)
    if (letGo === null) continue
    // The one that had the place before may have ended well.
    if (!isTaken(file)) return { file, letGo }
    letGo()
  }
}

/** What backups that were killed have left in a folder of copies; one that still runs holds its place. */
function clearDead(context: FileContext, folder: string): void {
  for (const copy of begunCopies(readdirSync(folder)).map((name) => join(folder, name))) {
    const letGo = holdUnlessOwn(context, copy)
    if (letGo === null) continue
    clearParts(copy)
    letGo()
  }
}

/** Null: a backup can be made there; otherwise one of its files would be the relay's own. */
function holdUnlessOwn(context: FileContext, copy: string): (() => void) | null {
  return firstOwn(passingFiles(copy), context) === null ? holdToTidy(copy) : null
}

/** It is written under another name first, which must be free too, and its SHA-256 is beside it. @throws LineError */
function mayStandAt(context: FileContext, file: string, option: '--to' | '--into'): void {
  const own = firstOwn([file, sumFileOf(file), ...passingFiles(file)], context)
  if (own !== null) throw new LineError(`${own.path} is ${own.what}: say another ${option}.`)
}

function toldCopy({ file, bytes, sha256, facts }: Copied, more: { ms: number } & Deletions): Output {
  const seconds = (more.ms / 1_000).toFixed(1)
  const lines = [
    `${file}`,
    `${(bytes / 1_048_576).toFixed(1)} MB in ${seconds} s, schema ${facts.schema}`,
    `newest order ${rowText(facts.newestOrder)}`,
    `sha256 ${sha256}`,
    ...(more.deleted.length === 0 ? [] : [`deleted ${more.deleted.join(', ')}`]),
    ...more.notDeleted.map(({ name, why }) => `not deleted ${name}: ${why}`),
  ]
  const { schema, newestOrder, newestEvent } = facts
  return {
    data: { file, bytes, sha256, ...more, ms: Math.round(more.ms), schema, newestOrder, newestEvent },
    text: lines.join('\n'),
  }
}

function rowText(row: NewestRow | null): string {
  return row === null ? 'none' : `${row.id} of ${toIso(row.atMs)}`
}

const restore = defineFileCommand({
  name: 'restore',
  summary:
    "Puts a copy in the place of the stopped relay's database, which is moved aside; --check only says what would be lost",
  options: {
    file: path().describe('The copy: `restore FILE`'),
    check: z.boolean().default(false).describe('Change nothing'),
  },
  operand: 'file',
  example: '--check /var/backups/ticketrail-relay/relay-2026-11-25T18-00-00Z.db',
  run: async (context, { file, check }) => {
    mustKeepFile(context)
    const copy = context.pathOf(file)
    const live = context.database
    const what = ownFileAt(copy, context)
    if (what !== null) throw new LineError(`${copy} is ${what}: say another --file.`)
    const compared = await told(inThread({ do: 'compare', file: copy, live }))
    const { lost } = compared
    const keyFits = fits(context, compared.file)
    const lines = [
      `copy    schema ${compared.file.schema}, newest order ${rowText(compared.file.newestOrder)}, newest event ${rowText(compared.file.newestEvent)}`,
      compared.live === null
        ? 'present  none, or it cannot be read'
        : `present schema ${compared.live.schema}, newest order ${rowText(compared.live.newestOrder)}, newest event ${rowText(compared.live.newestEvent)}`,
      `The copy is missing ${counted(lost.orders, 'order')} and ${counted(lost.events, 'event')} of the present file. Gateways hand back the orders that they have.`,
      `master key: ${KEY_WORDS[keyFits]}`,
      compared.sum.words,
    ]
    const data = {
      copy,
      lost,
      sha256: compared.sum.state,
      file: withoutSecrets(compared.file),
      live: compared.live && withoutSecrets(compared.live),
      masterKey: keyFits,
    }
    const exitCode = keyFits === 'does-not-fit' ? EXIT.failed : EXIT.ok
    if (check) return { data, text: lines.join('\n'), exitCode }
    if (keyFits === 'does-not-fit') throw new LineError('CLOUD_MASTER_KEY does not open the secrets of this copy.')
    const { aside } = await told(restoreFile({ copy, database: live, nowMs: context.clock.now() }))
    const moved = aside === null ? 'There was none before.' : `The one before is at ${aside}.`
    const note = movedFile(live)
    const isMoved = existsSync(note)
    const stays = `The relay still does not start on it, because it was moved to PostgreSQL: delete ${note} to go back to the file.`
    const said = [...lines, `${live} is the copy now. ${moved}`, ...(isMoved ? [stays] : [])]
    return { data: { ...data, aside, movedNote: isMoved ? note : null }, text: said.join('\n') }
  },
})

const noteRestored = defineFileCommand({
  name: 'note-restore',
  summary:
    "Notes that the stopped relay's database was put back to an earlier state by other means, such as a snapshot of the machine",
  options: {
    of: z.iso
      .datetime({ offset: true })
      .optional()
      .describe('When that state was there; without it the newest time that it knows'),
  },
  example: '--of 2026-11-25T18:00:00Z',
  run: async (context, { of }) => {
    mustKeepFile(context)
    const { database } = context
    const copiedAtMs = await told(noteRestore(database, fromIso(of ?? '') ?? undefined))
    const text = `${database} counts as a copy of ${toIso(copiedAtMs)}: start the relay now. Gateways hand back what it lacks.`
    return { data: { file: database, copiedAt: toIso(copiedAtMs) }, text }
  },
})

const KEY_WORDS = {
  fits: 'opens the secrets of the copy',
  'does-not-fit': 'does NOT open the secrets of the copy: webhooks could not be signed',
  'not-set': 'CLOUD_MASTER_KEY is not set, so nobody has tried it',
  'no-secrets': 'the copy has no secret to try it on',
} as const

function fits({ secretBox }: FileContext, { sealed }: FileFacts): keyof typeof KEY_WORDS {
  if (sealed.length === 0) return 'no-secrets'
  if (secretBox === null) return 'not-set'
  try {
    for (const secret of sealed) secretBox.open(secret)
    return 'fits'
  } catch {
    return 'does-not-fit'
  }
}

function withoutSecrets({ sealed: _, ...facts }: FileFacts): Omit<FileFacts, 'sealed'> {
  return facts
}

export const backupCommands = [backup, restore, noteRestored]

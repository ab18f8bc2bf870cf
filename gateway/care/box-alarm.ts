// What is wrong with the box itself, in words for a technician: disk, clock, database, memory, update. Pure: facts in, alarms out.
import type { DiskVerdict, Doubt } from '#gateway/storage/disk-proof.ts'

export interface BoxAlarm {
  id:
    | 'disk-full'
    | 'disk-low'
    | 'clock-wrong'
    | 'clock-unset'
    | 'database-replaced'
    | Doubt
    | 'memory-high'
    | 'update-undone'
    | 'update-available'
  /** Which sentence of pages in other languages is meant, where one id has several; default: the id. */
  key?: string
  /** `error`: orders are in danger. `warning`: they will be, or something was lost. `info`: nothing is wrong. */
  severity: 'error' | 'warning' | 'info'
  title: string
  /** What it means and what to do. */
  text: string
  /** What stands in title and text, for pages in other languages. */
  values?: Record<string, string | number>
}

export interface BoxFacts {
  /** Null: it cannot be asked. */
  disk: { freeBytes: number; totalBytes: number; isFull: boolean } | null
  clock: ClockFacts
  /** `lostTickets` null: nothing of it could be read. */
  database: { replacedAtMs: number; lostTickets: number | null; savedTickets: number; folder: string } | null
  /** As found at the start; `withdrawn`: how many of the marked tickets were taken out since, on the word of the relay. */
  image: Pick<DiskVerdict, 'doubt' | 'marked' | 'proofFile'> & { withdrawn: number }
  memory: { rssBytes: number; limitBytes: number | null }
  /** As the updater noted it. */
  update: { undoneVersion: string | null; availableVersion: string | null } | null
  nowMs: number
}

export interface ClockFacts {
  /** Relay time minus this machine's clock; null while the relay was not heard. */
  offsetMs: number | null
  /** The time that the last run noted lies so far ahead of this machine's clock at the start; 0 when it does not. */
  behindLastRunMs: number
}

/** Below it, the oldest finished history goes. */
export const LOW_DISK_BYTES = 64 * 1024 * 1024
/** Scheduled orders keep the relay's time whatever this machine's clock says; the hours on the page do not. */
const WRONG_CLOCK_MS = 60_000
const MINUTE_MS = 60_000
const REPLACED_SHOWN_MS = 7 * 24 * 3_600_000
const MEMORY_SHARE = 0.9
const SEVERITIES = ['error', 'warning', 'info'] as const

/** In the order of urgency. */
export function boxAlarms(facts: BoxFacts): BoxAlarm[] {
  const alarms = [
    diskAlarm(facts.disk),
    databaseAlarm(facts),
    imageAlarm(facts),
    clockAlarm(facts.clock),
    memoryAlarm(facts.memory),
    ...updateAlarms(facts.update),
  ].filter((alarm) => alarm !== null)
  return SEVERITIES.flatMap((severity) => alarms.filter((alarm) => alarm.severity === severity))
}

function diskAlarm(disk: BoxFacts['disk']): BoxAlarm | null {
  if (disk === null) return null
  if (disk.isFull)
    return {
      id: 'disk-full',
      severity: 'error',
      title: 'The disk is full',
      text: `Orders still print, out of a reserve; the oldest finished history is deleted. ${room(disk)}. Remove files from this machine, or use a larger card.`,
      values: roomValues(disk),
    }
  if (disk.freeBytes >= LOW_DISK_BYTES) return null
  return {
    id: 'disk-low',
    severity: 'warning',
    title: 'The disk is nearly full',
    text: `The oldest finished history is deleted to make room. ${room(disk)}. Remove files from this machine, or use a larger card.`,
    values: roomValues(disk),
  }
}

const roomValues = ({ freeBytes, totalBytes }: { freeBytes: number; totalBytes: number }) => ({ freeBytes, totalBytes })
const room = ({ freeBytes, totalBytes }: { freeBytes: number; totalBytes: number }): string =>
  `${megabytes(freeBytes)} of ${megabytes(totalBytes)} are free`
const megabytes = (bytes: number): string => `${Math.round(bytes / 1_000_000)} MB`

function databaseAlarm({ database, nowMs }: BoxFacts): BoxAlarm | null {
  if (database === null || nowMs - database.replacedAtMs > REPLACED_SHOWN_MS) return null
  const { savedTickets, lostTickets, folder } = database
  const lost =
    lostTickets === null
      ? ' Nothing else could be read: what the relay still knows comes again, marked; printers and users must be set up anew.'
      : lostTickets === 0
        ? ''
        : ` ${lostTickets} could not be read: ask the till for those orders.`
  return {
    id: 'database-replaced',
    severity: lostTickets === 0 ? 'warning' : 'error',
    title: 'The database was damaged and has been replaced',
    text: `${savedTickets} open tickets were saved and print marked as possible duplicates.${lost} The damaged files are kept in ${folder}. A card that does this once does it again: replace it.`,
    values: { savedTickets, lostTickets: lostTickets ?? '?', folder },
  }
}

interface Sentences {
  title: string
  text: string
}

/** `settled`: all that waited was taken out, so nothing of it prints. */
const IMAGE_ALARMS: Readonly<Record<Doubt, Sentences & { settled?: Sentences }>> = {
  'older-image': {
    title: 'The disk is an older copy: what waited on it was marked',
    text: 'A backup or an image of the disk was put back. What waited on it may be on paper already, so it prints as a possible duplicate, unless the relay knew its result. Compare marked tickets with the paper; nothing else has to be done.',
    settled: {
      title: 'The disk is an older copy: nothing that waited on it prints',
      text: 'A backup or an image of the disk was put back. The relay knew the results of all that waited on it. Nothing has to be done.',
    },
  },
  'another-machine': {
    title: 'The card comes from another machine, or its database was moved: what waited on it was marked',
    text: 'The other machine may have printed it, so it prints as a possible duplicate, unless the relay knew its result. If the other machine still runs with a card like this one, unpair this box and pair it anew; if its board was replaced, nothing has to be done.',
    settled: {
      title: 'The card comes from another machine, or its database was moved: nothing that waited on it prints',
      text: 'The relay knew the results of all that waited on it. If the other machine still runs with a card like this one, unpair this box and pair it anew; if its board was replaced, nothing has to be done.',
    },
  },
  'another-database': {
    title: 'This is another database than the one before: what waited on it was marked',
    text: 'It may be on paper already, so it prints as a possible duplicate, unless the relay knew its result. Compare marked tickets with the paper; nothing else has to be done.',
    settled: {
      title: 'This is another database than the one before: nothing that waited on it prints',
      text: 'The relay knew the results of all that waited on it. Nothing has to be done.',
    },
  },
  'no-disk-proof': {
    title: 'The box cannot tell whether its disk is an older copy: what waited on it was marked',
    text: 'The file that tells it is gone: {file}. What waited prints as a possible duplicate, unless the relay knew its result. The file was made anew; leave it there.',
    settled: {
      title: 'The box cannot tell whether its disk is an older copy: nothing that waited on it prints',
      text: 'The file that tells it is gone: {file}. The relay knew the results of all that waited. The file was made anew; leave it there.',
    },
  },
  'disk-proof-unusable': {
    title: 'The box cannot note which disk is the newest',
    text: 'This file cannot be read or written, or is damaged: {file}. Until it can, what waits at a start prints as a possible duplicate. Make its folder writable for the gateway, or set GATEWAY_PROOF_FOLDER to another one, and start it again.',
  },
}

function imageAlarm({ image: { doubt, marked, withdrawn, proofFile }, database }: BoxFacts): BoxAlarm | null {
  // Said already: it was replaced.
  if (doubt === 'another-database' && database !== null) return null
  // Without waiting tickets nothing was in danger; a file that cannot be written is, at the next start.
  if (doubt === null || (marked === 0 && doubt !== 'disk-proof-unusable')) return null
  const { settled, ...waiting } = IMAGE_ALARMS[doubt]
  const left = marked - withdrawn
  const isSettled = settled !== undefined && left === 0
  const { title, text } = isSettled ? settled : waiting
  const counts = ` Tickets taken out because the relay had their results: ${withdrawn}. Tickets that print marked: ${left}.`
  return {
    ...{ id: doubt, key: isSettled ? `${doubt}-settled` : doubt, severity: 'warning', title },
    text: `${text.replace('{file}', proofFile)}${marked === 0 ? '' : counts}`,
    values: { withdrawn, marked: left, file: proofFile },
  }
}

function clockAlarm({ offsetMs, behindLastRunMs }: ClockFacts): BoxAlarm | null {
  if (offsetMs === null) {
    if (behindLastRunMs < WRONG_CLOCK_MS) return null
    return {
      id: 'clock-unset',
      severity: 'warning',
      title: 'The time is not known',
      text: `This machine's clock was ${span(behindLastRunMs)} behind the last known time when it started, so the gateway goes on from that. It is put right by itself once the relay or a time server answers.`,
      values: { behindMs: behindLastRunMs },
    }
  }
  if (Math.abs(offsetMs) < WRONG_CLOCK_MS) return null
  const direction = offsetMs > 0 ? 'behind' : 'ahead of'
  return {
    id: 'clock-wrong',
    severity: 'warning',
    title: "This machine's clock is wrong",
    text: `It is ${span(Math.abs(offsetMs))} ${direction} the relay. Orders come at the right time all the same, but secure connections may fail: let a time server set it (timedatectl set-ntp true).`,
    values: { apartMs: Math.abs(offsetMs) },
  }
}

function span(ms: number): string {
  const minutes = Math.round(ms / MINUTE_MS)
  if (minutes < 120) return `${minutes} minutes`
  return minutes < 2_880 ? `${Math.round(minutes / 60)} hours` : `${Math.round(minutes / 1_440)} days`
}

function memoryAlarm({ rssBytes, limitBytes }: BoxFacts['memory']): BoxAlarm | null {
  if (limitBytes === null || rssBytes < limitBytes * MEMORY_SHARE) return null
  return {
    id: 'memory-high',
    severity: 'warning',
    title: 'The gateway needs nearly all of its memory',
    text: `${megabytes(rssBytes)} of ${megabytes(limitBytes)}. At the limit the system ends it and starts it again; nothing is lost. Please report it with a diagnostics bundle.`,
    values: { usedBytes: rssBytes, limitBytes },
  }
}

function updateAlarms(update: BoxFacts['update']): BoxAlarm[] {
  const { undoneVersion = null, availableVersion = null } = update ?? {}
  const undone: BoxAlarm = {
    id: 'update-undone',
    severity: 'warning',
    title: `The update to ${undoneVersion} was undone`,
    text: 'It did not become ready, so the version before runs again. It is not tried a second time; the next version is.',
    values: { version: undoneVersion ?? '' },
  }
  const available: BoxAlarm = {
    id: 'update-available',
    severity: 'info',
    title: `Version ${availableVersion} is available`,
    text: 'It installs by itself between 3 and 5 at night when no ticket is waiting; after three days also when tickets wait (they stay on disk). Install now: sudo ticketrail-gateway update now',
    values: { version: availableVersion ?? '' },
  }
  return [...(undoneVersion === null ? [] : [undone]), ...(availableVersion === null ? [] : [available])]
}

// What is wrong with the box itself: disk, clock, time zone, database, memory, heat, update, page, people, backup. Pure.
import { type EpochMs, fromIso } from '#shared/clock.ts'
import type { Finding } from '#shared/health.ts'
import { HOT_CELSIUS, LOW_DISK_BYTES, MEMORY_SHARE, WORN_PERCENT, WRONG_CLOCK_MS } from '#shared/health-limits.ts'
import { isSameZone } from '#shared/time-zones.ts'
import { cost, doing, finding, opening } from './finding.ts'
import type { BoxFacts, HealthFacts, HttpsFacts, PeopleFacts, UnprintableFacts, ZoneFacts } from './health-facts.ts'

/** A clock that is this far behind what the last run noted was not set yet. */
const UNSET_CLOCK_MS = 60_000
const DAY_MS = 24 * 3_600_000
const REPLACED_SHOWN_MS = 7 * DAY_MS
const CERTIFICATE_SOON_MS = 14 * DAY_MS
const BACKUP_EVERY_MS = 30 * DAY_MS

const CARE = opening('open-care', '/care')
const LOG = opening('open-log', '/logs')
const FIRST_PERSON = opening('first-person', '/setup')
const SETTINGS = opening('open-settings', '/settings')

export function boxFindings({ box, https, zone, people, unprintable, nowMs, printers }: HealthFacts): Finding[] {
  return [
    ...diskFindings(box.disk),
    ...databaseFindings(box),
    ...imageFindings(box),
    ...clockFindings(box),
    ...zoneFindings(zone),
    ...machineFindings(box),
    ...updateFindings(box.update),
    ...httpsFindings(https, nowMs),
    ...peopleFindings(people, { nowMs, hasPrinter: printers.length > 0 }),
    ...unprintable.map(unprintableFinding),
  ]
}

function diskFindings(disk: BoxFacts['disk']): Finding[] {
  if (disk === null || (!disk.isFull && disk.freeBytes >= LOW_DISK_BYTES)) return []
  const values = { freeBytes: disk.freeBytes, totalBytes: disk.totalBytes }
  if (disk.isFull) return [finding('disk-full', { severity: 'critical', values, act: CARE })]
  return [finding('disk-low', { severity: 'warning', values, act: CARE })]
}

function databaseFindings({ database, nowMs }: BoxFacts): Finding[] {
  if (database === null || nowMs - database.replacedAtMs > REPLACED_SHOWN_MS) return []
  const { savedTickets, lostTickets, folder, replacedAtMs } = database
  return [
    finding('database-replaced', {
      severity: lostTickets === 0 ? 'warning' : 'critical',
      sinceMs: replacedAtMs,
      values: { savedTickets, lostTickets: lostTickets ?? '?', folder },
      act: CARE,
    }),
  ]
}

/** `-settled`: all waiting tickets were removed, so none of them prints, and no action is needed. */
function imageFindings({ image: { doubt, marked, withdrawn, proofFile, isHolding }, database }: BoxFacts): Finding[] {
  const left = marked - withdrawn
  if (isHolding && left > 0)
    return [
      finding('image-held', {
        severity: 'critical',
        cost: cost('tickets-held', left),
        act: LOG,
      }),
    ]
  // Reported already: it was replaced.
  if (doubt === null || (doubt === 'another-database' && database !== null)) return []
  // Without waiting tickets nothing was in danger; a file that cannot be written is, at the next start.
  if (marked === 0 && doubt !== 'disk-proof-unusable') return []
  const values = { withdrawn, marked: left, file: proofFile }
  if (doubt !== 'disk-proof-unusable' && left === 0)
    return [finding(`${doubt}-settled`, { id: doubt, severity: 'advice', values, act: LOG })]
  return [finding(doubt, { severity: 'warning', values, act: LOG })]
}

function clockFindings({ clock: { offsetMs, behindLastRunMs } }: BoxFacts): Finding[] {
  if (offsetMs === null) {
    if (behindLastRunMs < UNSET_CLOCK_MS) return []
    const values = { behindMs: behindLastRunMs }
    return [finding('clock-unset', { severity: 'warning', values, cost: cost('times-wrong'), act: SETTINGS })]
  }
  const apartMs = Math.abs(offsetMs)
  if (apartMs < WRONG_CLOCK_MS) return []
  return [finding('clock-wrong', { severity: 'warning', values: { apartMs }, act: SETTINGS })]
}

/** Paper and pages have one zone; one that a person set on the box overrides the relay's. */
function zoneFindings({ own, relay }: ZoneFacts): Finding[] {
  if (own === '' && relay === null) {
    const act = { ...doing('set-zone', { operation: 'settings.put', input: {} }), fill: 'time-zone' as const }
    return [finding('time-zone', { severity: 'advice', act })]
  }
  if (own === '' || relay === null || isSameZone(own, relay)) return []
  const values = { zone: own, relayZone: relay }
  return [
    finding('time-zones-differ', {
      ...{ severity: 'warning', values, cost: cost('times-wrong') },
      act: doing('use-relay-zone', { operation: 'settings.put', input: { timeZone: '' }, values }),
    }),
  ]
}

function machineFindings({
  memory: { rssBytes, limitBytes },
  temperatureCelsius,
  storageWearPercent,
}: BoxFacts): Finding[] {
  const isTight = limitBytes !== null && rssBytes >= limitBytes * MEMORY_SHARE
  const values = { usedBytes: rssBytes, limitBytes: limitBytes ?? 0 }
  const celsius = Math.round(temperatureCelsius ?? 0)
  const percent = storageWearPercent ?? 0
  return [
    ...(isTight ? [finding('memory-high', { severity: 'warning', values, act: CARE })] : []),
    ...(celsius >= HOT_CELSIUS ? [finding('box-hot', { severity: 'warning', values: { celsius }, act: CARE })] : []),
    ...(percent >= WORN_PERCENT
      ? [finding('storage-worn', { severity: 'warning', values: { percent }, act: CARE })]
      : []),
  ]
}

function updateFindings(update: BoxFacts['update']): Finding[] {
  const { undoneVersion = null, availableVersion = null } = update ?? {}
  const of = (version: string) => ({ version })
  return [
    ...(undoneVersion === null
      ? []
      : [finding('update-undone', { severity: 'warning', values: of(undoneVersion), act: CARE })]),
    ...(availableVersion === null
      ? []
      : [finding('update-available', { severity: 'advice', values: of(availableVersion), act: CARE })]),
  ]
}

/** Whether the page uses https with the right certificate. One made by the box is renewed before it ends. */
function httpsFindings({ fault, certificate, certificateFault }: HttpsFacts, nowMs: EpochMs): Finding[] {
  const until = certificate?.source === 'provided' ? certificate.until : null
  const isEnding = until !== null && (fromIso(until) ?? 0) - nowMs <= CERTIFICATE_SOON_MS
  return [
    ...(fault === null ? [] : [finding('page-https', { severity: 'critical', values: { fault }, act: SETTINGS })]),
    ...(certificateFault === null
      ? []
      : [finding('page-certificate', { severity: 'warning', values: { fault: certificateFault }, act: SETTINGS })]),
    ...(isEnding ? [finding('page-certificate-ends', { severity: 'warning', values: { until }, act: SETTINGS })] : []),
  ]
}

function peopleFindings(
  { users, sinceMs, backupMs, pageUrls }: PeopleFacts,
  { nowMs, hasPrinter }: { nowMs: EpochMs; hasPrinter: boolean },
): Finding[] {
  const [url = ''] = pageUrls
  const isOnlyHere = /^https?:\/\/(127\.|localhost|\[::1\])/.test(url)
  const lastMs = backupMs ?? sinceMs
  const isBackupDue = hasPrinter && lastMs !== null && nowMs - lastMs > BACKUP_EVERY_MS
  return [
    ...(users === 0 ? [finding('nobody-signs-in', { severity: 'warning', act: FIRST_PERSON })] : []),
    ...(isOnlyHere ? [finding('page-only-here', { severity: 'advice', values: { url }, act: SETTINGS })] : []),
    ...(isBackupDue ? [finding('box-not-backed-up', { severity: 'advice', sinceMs: backupMs, act: CARE })] : []),
  ]
}

/** The cook has incomplete paper: somebody must ask the guest, or install a font. */
function unprintableFinding({
  ticketId,
  orderNumber,
  printerName,
  unprintable,
  settledAtMs,
}: UnprintableFacts): Finding {
  const characters = unprintable ?? 0
  const order = orderNumber || ticketId
  return finding(characters === 1 ? 'unprintable-one' : 'unprintable', {
    id: `unprintable:${ticketId}`,
    subject: { kind: 'ticket', id: ticketId, name: order },
    severity: 'warning',
    sinceMs: settledAtMs,
    values: { order, printer: printerName, characters, ticketId },
    act: opening('open-ticket', `/jobs/${encodeURIComponent(ticketId)}`),
  })
}

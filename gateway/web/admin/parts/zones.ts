// Which time zone a form on the box begins with, and what it keeps: the zone in use comes before that of the browser. Pure but for one look at the browser.
import type { BoxSettingsAnswer } from '#gateway/control/answers.ts'
import { isSameZone } from '#shared/time-zones.ts'

export type KnownZones = Pick<BoxSettingsAnswer, 'timeZone' | 'relayTimeZone'>

/** Empty: the browser does not tell. */
export function browserZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || ''
}

/** Whoever sets up a box may sit in another country: their browser is asked only while nobody knows better. */
export function zoneBefore({ timeZone, relayTimeZone }: KnownZones, browser: string): string {
  return timeZone || relayTimeZone || browser
}

/** @returns empty where the zone is that of the relay and none was set: it goes on to follow the relay */
export function zoneToKeep({ timeZone, relayTimeZone }: KnownZones, typed: string): string {
  return timeZone === '' && typed === relayTimeZone ? '' : typed
}

/** What to know beside what stands in the field: zones that differ from it. */
export function zoneDoubts(
  { relayTimeZone }: Pick<KnownZones, 'relayTimeZone'>,
  typed: string,
  browser: string,
): { relay: string | null; browser: string | null } {
  const differing = (zone: string | null): string | null => (zone && !isSameZone(zone, typed) ? zone : null)
  return { relay: differing(relayTimeZone), browser: differing(browser) }
}

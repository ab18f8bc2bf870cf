// The initial time zone of a form on the box, and the one that it keeps: the zone in use comes before the browser's. Pure except for one read of the browser's zone.
import type { BoxSettingsAnswer } from '#gateway/control/answers.ts'
import { isSameZone } from '#shared/time-zones.ts'

export type KnownZones = Pick<BoxSettingsAnswer, 'timeZone' | 'relayTimeZone'>

/** Empty: the browser does not provide it. */
export function browserZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || ''
}

/** The person who sets up a box may be in another country: their browser's zone is used only if there is no better source. */
export function zoneBefore({ timeZone, relayTimeZone }: KnownZones, browser: string): string {
  return timeZone || relayTimeZone || browser
}

/** @returns empty where the zone is that of the relay and none was set: it goes on to follow the relay */
export function zoneToKeep({ timeZone, relayTimeZone }: KnownZones, typed: string): string {
  return timeZone === '' && typed === relayTimeZone ? '' : typed
}

/** Zones that differ from the value in the field. */
export function zoneDoubts(
  { relayTimeZone }: Pick<KnownZones, 'relayTimeZone'>,
  typed: string,
  browser: string,
): { relay: string | null; browser: string | null } {
  const differing = (zone: string | null): string | null => (zone && !isSameZone(zone, typed) ? zone : null)
  return { relay: differing(relayTimeZone), browser: differing(browser) }
}

// Fields of printers as text, and conflicts between box and cloud in words.
import type { PrinterRecord } from '#gateway/storage/printer-store.ts'
import { toIso } from '#shared/clock.ts'
import type { CloudPrinter, ConfigConflict, ConfigField } from '#shared/wire/gateway-config.ts'

/** What the cloud proposes. */
export function textOf(proposed: CloudPrinter, field: ConfigField): string {
  switch (field) {
    case 'name':
      return proposed.name.value
    case 'address':
      return `${proposed.address.value.host}:${proposed.address.value.port}`
    case 'profileId':
      return proposed.profileId.value
    case 'stations':
      return listText(proposed.stations.value)
  }
}

/** The current value here. */
export function localText({ name, host, port, profileId, stations }: PrinterRecord, field: ConfigField): string {
  switch (field) {
    case 'name':
      return name
    case 'address':
      return `${host}:${port}`
    case 'profileId':
      return profileId
    case 'stations':
      return listText(stations)
  }
}

const WORDS: Readonly<Record<ConfigConflict['field'], string>> = {
  name: 'name',
  address: 'address',
  profileId: 'profile',
  stations: 'stations',
  removed: 'place in the list',
}

/** One line for a person at the box. */
export function conflictWords({ field, stands, value, by, at, lost, lostBy, lostAt }: ConfigConflict): string {
  const winner = `${by}, ${toIso(at)}`
  const loser = lostAt === 0 ? lostBy : `${lostBy}, ${toIso(lostAt)}`
  return stands === 'gateway'
    ? `Its ${WORDS[field]} was changed here later than in the cloud: "${value}" (${winner}) stands, not "${lost}" (${loser}).`
    : `Its ${WORDS[field]} was changed in the cloud later than here: "${value}" (${winner}) stands, not "${lost}" (${loser}).`
}

function listText(stations: readonly string[]): string {
  return [...stations].join(', ').slice(0, 300)
}

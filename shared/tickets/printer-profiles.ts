// The supported printer families, as data. Any unknown printer uses generic-80.
import { codePageCharacters } from '#shared/escpos/code-page-characters.ts'
import { type PrinterProfile, printerProfile } from '#shared/printer-profile.ts'
import type { PrinterSettings } from '#shared/printer-settings.ts'
import { EPSON_PROFILES } from './printer-profiles-epson.ts'
import { GENERIC_80, OTHER_PROFILES } from './printer-profiles-makers.ts'
import { STAR_PROFILES } from './printer-profiles-star.ts'

/** All profiles, validated by the schema. */
export const PROFILES: readonly PrinterProfile[] = [...EPSON_PROFILES, ...STAR_PROFILES, ...OTHER_PROFILES].map(
  (profile) => printerProfile.parse(profile),
)

const FALLBACK_ID = GENERIC_80.id

/** The profile with this id. An unknown id gives generic-80, which is readable on nearly every ESC/POS printer. */
export function profileById(id: string): PrinterProfile {
  const profile = PROFILES.find((candidate) => candidate.id === id) ?? PROFILES.find((it) => it.id === FALLBACK_ID)
  if (profile === undefined) throw new Error(`There is no printer profile "${FALLBACK_ID}"`)
  return profile
}

// A cache: encoders are stored by profile object, so equal settings must give the same object.
const adapted = new Map<string, PrinterProfile>()
const MAX_ADAPTED = 200

/**
 * The profile of one printer: that of its family, with the columns and code pages that the technician set. Equal arguments return the same
 * object. Unknown code pages are left out; if none is left, those of the family are used.
 */
export function profileFor(
  profileId: string,
  settings: Pick<PrinterSettings, 'columns' | 'codePages'>,
): PrinterProfile {
  const family = profileById(profileId)
  if (settings.columns === null && settings.codePages === null) return family
  const key = JSON.stringify([family.id, settings.columns, settings.codePages])
  const known = adapted.get(key)
  if (known !== undefined) return known
  const rows = settings.codePages?.filter((row) => isCodePage(row.encoding)) ?? []
  const profile = {
    ...family,
    columns: settings.columns ?? family.columns,
    codePages: rows.length === 0 ? family.codePages : rows,
  }
  if (adapted.size >= MAX_ADAPTED) adapted.clear()
  adapted.set(key, profile)
  return profile
}

function isCodePage(encoding: string): boolean {
  try {
    codePageCharacters(encoding)
    return true
  } catch {
    return false
  }
}

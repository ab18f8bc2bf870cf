// Suggests a profile for a printer model, for the technician. Pure.
import { PROFILES } from '#shared/tickets/printer-profiles.ts'

export interface ProfileSuggestion {
  profileId: string
  /**
   * `model`: the profile lists this model. `family`: it looks like one of that family. `none`: nothing matches, so the profile that prints
   * nearly everywhere.
   */
  by: 'model' | 'family' | 'none'
}

/** A model whose name begins with a listed one is of its family only if the listed name is long enough to be specific. */
const SHORTEST_NAME = 5

/** The first match wins. Tested against maker and model without spaces and hyphens. */
const FAMILIES: readonly (readonly [RegExp, string])[] = [
  [/TMU\d/, 'epson-impact'],
  [/TML\d/, 'epson-label'],
  [/TMT88(III?|IV)$/, 'epson-legacy'],
  [/TMT(88|70)/, 'epson-thermal-180'],
  [/TMT?M?\d|EPSON/, 'epson-thermal-203'],
  [/MCPRINT|MCP\d|MPOP|TSP1\d\dIV/, 'starprnt'],
  [/TSP1\d\d/, 'star-raster'],
  [/(^|[^T])SP7\d\d/, 'star-impact'],
  [/TSP\d|STAR/, 'star-line'],
  // 76 mm impact printers. Bixolon's command manual of the SRP-275 is that of the TM-U220.
  [/SRP27\d|XP76/, 'epson-impact'],
  [/SRP|BIXOLON/, 'bixolon-350'],
  [/CT[DES]\d|CITIZEN/, 'citizen-ct-s'],
  [/SEIKO|SIIRP/, 'seiko-rp'],
  [/XP\w?58/, 'generic-58'],
  [/XP\w?\d|XPRINTER/, 'xprinter-80'],
  [/BEMATECH|MP4200|MP2500/, 'bematech'],
  [/ELGIN/, 'elgin'],
  [/DARUMA|DR\d00/, 'daruma'],
  [/58(MM)?$|POS58/, 'generic-58'],
]

const FALLBACK: ProfileSuggestion = { profileId: 'generic-80', by: 'none' }

/** `maker` and `model` as the printer or its discovery answer has them; either may be empty. */
export function suggestProfile(maker: string, model: string): ProfileSuggestion {
  const name = plain(model)
  const models = PROFILES.flatMap(({ id, models: names }) => names.map((it) => ({ id, name: plain(it) })))
  const exact = name === '' ? undefined : models.find((candidate) => candidate.name === name)
  if (exact) return { profileId: exact.id, by: 'model' }
  const nearest = models
    .filter((candidate) => candidate.name.length >= SHORTEST_NAME && continues(name, candidate.name))
    .sort((a, b) => b.name.length - a.name.length)[0]
  if (nearest) return { profileId: nearest.id, by: 'model' }
  const text = plain(maker) + name
  const family = FAMILIES.find(([pattern, id]) => pattern.test(text) && PROFILES.some((profile) => profile.id === id))
  return family ? { profileId: family[1], by: 'family' } : FALLBACK
}

/** "TM-T20III-i" goes on from "TM-T20III"; "TM-T88VII" is not a "TM-T88V" with something more. */
function continues(name: string, listed: string): boolean {
  return name.startsWith(listed) && !/[IVX\d]/.test(name.charAt(listed.length))
}

function plain(text: string): string {
  return text.toUpperCase().replace(/[^A-Z0-9]/g, '')
}

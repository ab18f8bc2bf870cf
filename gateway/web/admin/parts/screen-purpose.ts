// What a screen is for: its kind and, of a station's screen, which stations; what is proposed for a new one, and what can be picked. Pure.
import type { DisplayAnswer } from '#gateway/control/answers.ts'
import type { StationAnswer } from '#gateway/control/station-answers.ts'
import { fold } from '#shared/tickets/route.ts'
import { stationsOf } from './printer-draft.ts'

/** Kinds of screen as people distinguish them: kitchen screens are those with stations, and the expo screen, which shows all. */
export const SCREEN_KINDS = ['station', 'expo', 'runner', 'pick-up'] as const
export type ScreenKind = (typeof SCREEN_KINDS)[number]

/** The values of the form. */
export interface ScreenPurpose {
  kind: ScreenKind
  /** Picked from those that are known; only of a station's screen. */
  stations: readonly string[]
  /** Other stations, typed beside the list and separated by commas. */
  another: string
}

type Known = Pick<StationAnswer, 'name' | 'screens'>

export function screenKindOf({ kind, stations }: Pick<DisplayAnswer, 'kind' | 'stations'>): ScreenKind {
  if (kind !== 'kitchen') return kind
  return stations.length === 0 ? 'expo' : 'station'
}

/** The proposal for a new screen: stations without a screen of their own; if every station has one, an expo screen. */
export function purposeOfNew(known: readonly Known[]): ScreenPurpose {
  const without = known.filter(lacksScreen).map(({ name }) => name)
  return { kind: without.length > 0 ? 'station' : 'expo', stations: without, another: '' }
}

/** Stations without a screen of their own first; then the others, and those that only this screen has. */
export function stationChoices(
  known: readonly Known[],
  picked: readonly string[],
): { name: string; lacksScreen: boolean }[] {
  const choices = known.map((station) => ({ name: station.name, lacksScreen: lacksScreen(station) }))
  const own = picked.filter((one) => !known.some(({ name }) => fold(name) === fold(one)))
  return [
    ...choices.filter((one) => one.lacksScreen),
    ...choices.filter((one) => !one.lacksScreen),
    ...own.map((name) => ({ name, lacksScreen: false })),
  ]
}

export function isPicked(picked: readonly string[], name: string): boolean {
  return picked.some((one) => fold(one) === fold(name))
}

export function pickedAfter(picked: readonly string[], name: string, isOn: boolean): string[] {
  const others = picked.filter((one) => fold(one) !== fold(name))
  return isOn ? [...others, name] : others
}

/** What is sent of it: no stations but of a station's screen, each once. */
export function screenOf({ kind, stations, another }: ScreenPurpose): {
  kind: DisplayAnswer['kind']
  stations: string[]
} {
  if (kind === 'runner' || kind === 'pick-up') return { kind, stations: [] }
  const all = [...stations, ...stationsOf(another)]
  const once = all.filter((name, index) => all.findIndex((other) => fold(other) === fold(name)) === index)
  return { kind: 'kitchen', stations: kind === 'station' ? once : [] }
}

/** An expo shows it as well, but no cook makes it there. */
function lacksScreen({ screens }: Known): boolean {
  return screens.every(({ by }) => by !== 'station')
}

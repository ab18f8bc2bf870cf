// What this screen was set to, kept in its browser: size of its tickets, columns, times, taps, sounds.
import { type AgeThreshold, USUAL_THRESHOLDS } from '#shared/kitchen-times.ts'
import type { ORDER_TYPES } from '#shared/order.ts'
import { remember, remembered } from '#shared/ui/browser.ts'
import { SOUND_MODES, SOUNDS, type SoundModes, USUAL_MODES } from './sound-events.ts'

export const DENSITIES = ['S', 'M', 'L', 'XL'] as const
export type Density = (typeof DENSITIES)[number]
export const COLUMNS = ['auto', '1', '2', '3', '4', '5', '6'] as const
export const ORDERS = ['oldest', 'newest'] as const
/** What Ready does at expo while stations have not finished: it asks, does it, or refuses. */
export const EXPO_ASKS = ['ask', 'allow', 'forbid'] as const

/** `usual`: of orders without a type, and of types that this page does not know. */
export type ThresholdKey = 'usual' | (typeof ORDER_TYPES)[number]

/** Whole minutes, 1 to 180, the second of each never below the first. */
export type Thresholds = Record<ThresholdKey, AgeThreshold>

export interface ScreenSettings {
  /** How large tickets are: letters and the width of columns. */
  density: Density
  /** 0 to 1. */
  volume: number
  columns: (typeof COLUMNS)[number]
  /** What stands first. */
  first: (typeof ORDERS)[number]
  /** An old tablet: nothing moves. */
  isSlow: boolean
  /** Ready needs two taps. */
  doubleTap: boolean
  expoAsk: (typeof EXPO_ASKS)[number]
  thresholds: Thresholds
  sounds: SoundModes
}

const KEY = 'ticketrail.screen'
const USUAL_THRESHOLD = USUAL_THRESHOLDS.usual
/** With a row of its own for each type. */
const THRESHOLDS: Readonly<Thresholds> = {
  usual: USUAL_THRESHOLD,
  'dine-in': USUAL_THRESHOLD,
  takeaway: USUAL_THRESHOLD,
  delivery: USUAL_THRESHOLDS.delivery,
  'drive-through': USUAL_THRESHOLD,
  catering: USUAL_THRESHOLD,
  curbside: USUAL_THRESHOLD,
}
export const THRESHOLD_KEYS = Object.keys(THRESHOLDS) as ThresholdKey[]
export const MOST_MINUTES = 180

const USUAL: ScreenSettings = {
  density: 'M',
  volume: 0.6,
  columns: 'auto',
  first: 'oldest',
  isSlow: false,
  doubleTap: false,
  expoAsk: 'ask',
  thresholds: THRESHOLDS,
  sounds: USUAL_MODES,
}

/** Storage of a browser can hold anything: what makes no sense is as if it were not there. */
export function readSettings(text: string | null): ScreenSettings {
  const kept = objectIn(text)
  const volume = kept['volume']
  const modes = objectOf(kept['sounds'])
  const sounds = { ...USUAL_MODES }
  for (const sound of SOUNDS) sounds[sound] = oneOf(SOUND_MODES, modes[sound], sounds[sound])
  const times = objectOf(kept['thresholds'])
  const thresholds = { ...THRESHOLDS }
  for (const key of THRESHOLD_KEYS) thresholds[key] = thresholdOf(times[key], thresholds[key])
  return {
    // Older pages called it the size of the letters.
    density: oneOf(DENSITIES, kept['density'] ?? kept['size'], USUAL.density),
    volume: typeof volume === 'number' && volume >= 0 && volume <= 1 ? volume : USUAL.volume,
    columns: oneOf(COLUMNS, kept['columns'], USUAL.columns),
    first: oneOf(ORDERS, kept['first'], USUAL.first),
    isSlow: kept['isSlow'] === true,
    doubleTap: kept['doubleTap'] === true,
    expoAsk: oneOf(EXPO_ASKS, kept['expoAsk'], USUAL.expoAsk),
    thresholds,
    sounds,
  }
}

/** With one of its minutes changed; the other follows, so that soon never comes after late. */
export function withMinutes(before: AgeThreshold, change: Partial<AgeThreshold>): AgeThreshold {
  const soonMin = minutesOf(change.soonMin, before.soonMin)
  const lateMin = minutesOf(change.lateMin, before.lateMin)
  return change.lateMin === undefined
    ? { soonMin, lateMin: Math.max(soonMin, lateMin) }
    : { soonMin: Math.min(soonMin, lateMin), lateMin }
}

export function keptSettings(): ScreenSettings {
  return readSettings(remembered(KEY))
}

export function keepSettings(settings: ScreenSettings): void {
  remember(KEY, JSON.stringify(settings))
}

/** The style sheet reads them from the root. */
export function applySettings({ density, isSlow }: ScreenSettings): void {
  const { dataset } = document.documentElement
  dataset['size'] = density
  dataset['motion'] = isSlow ? 'none' : 'some'
}

function thresholdOf(value: unknown, usual: AgeThreshold): AgeThreshold {
  const { soonMin, lateMin } = objectOf(value)
  const read = { soonMin: minutesOf(soonMin, usual.soonMin), lateMin: minutesOf(lateMin, usual.lateMin) }
  return read.soonMin <= read.lateMin ? read : usual
}

function minutesOf(value: unknown, usual: number): number {
  const isOne = typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MOST_MINUTES
  return isOne ? value : usual
}

function oneOf<T extends string>(choices: readonly T[], value: unknown, usual: T): T {
  return choices.find((choice) => choice === value) ?? usual
}

function objectIn(text: string | null): Record<string, unknown> {
  try {
    return objectOf(JSON.parse(text ?? '{}'))
  } catch {
    return {}
  }
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

// The settings of this display, stored in its browser: size of tickets, columns, times, taps, sounds.
import {
  type AgeThreshold,
  minutesOf,
  type OwnThresholds,
  THRESHOLD_KEYS,
  thresholdOf,
  thresholdsOf,
} from '#shared/kitchen-times.ts'
import { remember, remembered } from '#shared/ui/browser.ts'
import { SOUND_MODES, SOUNDS, type SoundModes, USUAL_MODES } from './sound-events.ts'

export const DENSITIES = ['S', 'M', 'L', 'XL'] as const
export type Density = (typeof DENSITIES)[number]
export const COLUMNS = ['auto', '1', '2', '3', '4', '5', '6'] as const
export const ORDERS = ['oldest', 'newest'] as const
/** What Ready does at expo while stations have not finished: asks for confirmation, allows, or refuses. */
export const EXPO_ASKS = ['ask', 'allow', 'forbid'] as const

export interface ScreenSettings {
  /** Size of tickets: letters and the width of columns. */
  density: Density
  /** 0 to 1. */
  volume: number
  columns: (typeof COLUMNS)[number]
  /** Sort order. */
  first: (typeof ORDERS)[number]
  /** For an old tablet: no animations. */
  isSlow: boolean
  /** Ready needs two taps. */
  doubleTap: boolean
  expoAsk: (typeof EXPO_ASKS)[number]
  /** Only of this display; absent values are those of the gateway. */
  ownThresholds: OwnThresholds
  sounds: SoundModes
}

const KEY = 'ticketrail.screen'
const USUAL: ScreenSettings = {
  density: 'M',
  volume: 0.6,
  columns: 'auto',
  first: 'oldest',
  isSlow: false,
  doubleTap: false,
  expoAsk: 'ask',
  ownThresholds: {},
  sounds: USUAL_MODES,
}

/** The browser's storage can contain anything: invalid values are ignored. */
export function readSettings(text: string | null): ScreenSettings {
  const kept = objectIn(text)
  const volume = kept['volume']
  const modes = objectOf(kept['sounds'])
  const sounds = { ...USUAL_MODES }
  for (const sound of SOUNDS) sounds[sound] = oneOf(SOUND_MODES, modes[sound], sounds[sound])
  return {
    // Older pages called it the size of letters.
    density: oneOf(DENSITIES, kept['density'] ?? kept['size'], USUAL.density),
    volume: typeof volume === 'number' && volume >= 0 && volume <= 1 ? volume : USUAL.volume,
    columns: oneOf(COLUMNS, kept['columns'], USUAL.columns),
    first: oneOf(ORDERS, kept['first'], USUAL.first),
    isSlow: kept['isSlow'] === true,
    doubleTap: kept['doubleTap'] === true,
    expoAsk: oneOf(EXPO_ASKS, kept['expoAsk'], USUAL.expoAsk),
    ownThresholds: 'ownThresholds' in kept ? ownOf(objectOf(kept['ownThresholds'])) : ownOfOlder(kept),
    sounds,
  }
}

export function keptSettings(): ScreenSettings {
  return readSettings(remembered(KEY))
}

export function keepSettings(settings: ScreenSettings): void {
  remember(KEY, JSON.stringify(settings))
}

/** The style sheet reads them from the root element. */
export function applySettings({ density, isSlow }: ScreenSettings): void {
  const { dataset } = document.documentElement
  dataset['size'] = density
  dataset['motion'] = isSlow ? 'none' : 'some'
}

function ownOf(times: Record<string, unknown>): OwnThresholds {
  const own: { -readonly [K in keyof OwnThresholds]: OwnThresholds[K] } = {}
  for (const key of THRESHOLD_KEYS) {
    const { soonMin, lateMin } = objectOf(times[key])
    const read: AgeThreshold = { soonMin: minutesOf(soonMin, 0), lateMin: minutesOf(lateMin, 0) }
    if (read.soonMin > 0 && read.soonMin <= read.lateMin) own[key] = read
  }
  return own
}

/**
 * Older pages stored minutes for every type, chosen or not, and the default applied to no type. Keeps only values that give the same
 * minutes.
 */
function ownOfOlder(kept: Record<string, unknown>): OwnThresholds {
  const older = ownOf(objectOf(kept['thresholds']))
  const own: { -readonly [K in keyof OwnThresholds]: OwnThresholds[K] } = {}
  for (const key of THRESHOLD_KEYS) {
    const { [key]: chosen } = older
    const without = thresholdOf(key, thresholdsOf(own))
    if (chosen && (chosen.soonMin !== without.soonMin || chosen.lateMin !== without.lateMin)) own[key] = chosen
  }
  return own
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

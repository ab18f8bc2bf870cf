// What this screen was set to, kept in its browser: letters, columns, sounds.
import { remember, remembered } from '#shared/ui/browser.ts'
import { SOUND_MODES, SOUNDS, type SoundModes, USUAL_MODES } from './sound-events.ts'

export const SIZES = ['S', 'M', 'L', 'XL'] as const
export const COLUMNS = ['auto', '1', '2', '3', '4', '5', '6'] as const
export const ORDERS = ['oldest', 'newest'] as const

export interface ScreenSettings {
  size: (typeof SIZES)[number]
  /** 0 to 1. */
  volume: number
  columns: (typeof COLUMNS)[number]
  /** What stands first. */
  first: (typeof ORDERS)[number]
  /** An old tablet: nothing moves, and only the oldest cards are drawn. */
  isSlow: boolean
  sounds: SoundModes
}

const KEY = 'ticketrail.screen'
const USUAL: ScreenSettings = {
  size: 'M',
  volume: 0.6,
  columns: 'auto',
  first: 'oldest',
  isSlow: false,
  sounds: USUAL_MODES,
}

/** Storage of a browser can hold anything: what makes no sense is as if it were not there. */
export function readSettings(text: string | null): ScreenSettings {
  const kept = objectIn(text)
  const volume = kept['volume']
  const modes = objectOf(kept['sounds'])
  const sounds = { ...USUAL_MODES }
  for (const sound of SOUNDS) sounds[sound] = oneOf(SOUND_MODES, modes[sound], sounds[sound])
  return {
    size: oneOf(SIZES, kept['size'], USUAL.size),
    volume: typeof volume === 'number' && volume >= 0 && volume <= 1 ? volume : USUAL.volume,
    columns: oneOf(COLUMNS, kept['columns'], USUAL.columns),
    first: oneOf(ORDERS, kept['first'], USUAL.first),
    isSlow: kept['isSlow'] === true,
    sounds,
  }
}

export function keptSettings(): ScreenSettings {
  return readSettings(remembered(KEY))
}

export function keepSettings(settings: ScreenSettings): void {
  remember(KEY, JSON.stringify(settings))
}

/** The style sheet reads them from the root. */
export function applySettings({ size, columns, isSlow }: ScreenSettings): void {
  const { dataset, style } = document.documentElement
  dataset['size'] = size
  dataset['motion'] = isSlow ? 'none' : 'some'
  dataset['columns'] = columns === 'auto' ? 'auto' : 'set'
  style.setProperty('--columns', columns === 'auto' ? '' : columns)
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

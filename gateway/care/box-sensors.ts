// The machine's sensors: the processor's temperature, the wear of its storage. Many machines have neither.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface BoxSensors {
  /** The hottest of its zones; null: not available. */
  temperatureCelsius: number | null
  /** The used part of the built-in storage's life, at most, in percent; null: not available, as on every plain SD card. */
  storageWearPercent: number | null
}

/** @param folder where the kernel shows devices: `/sys` */
export function readSensors(folder: string): BoxSensors {
  return { temperatureCelsius: temperatureIn(folder), storageWearPercent: wearIn(folder) }
}

/** What is beyond these is a sensor that is not there. */
const COLDEST_CELSIUS = -40
const HOTTEST_CELSIUS = 150

function temperatureIn(folder: string): number | null {
  const zones = namesIn(join(folder, 'class/thermal'), /^thermal_zone\d+$/)
    .map((zone) => Number(textOf(join(folder, 'class/thermal', zone, 'temp')) ?? Number.NaN) / 1_000)
    .filter((celsius) => celsius > COLDEST_CELSIUS && celsius < HOTTEST_CELSIUS && celsius !== 0)
  return zones.length === 0 ? null : Math.max(...zones)
}

/** eMMC reports it in tenths of its life: 0x01 is up to 10 %, 0x0b is beyond. The worse of its two kinds of memory counts. */
function wearIn(folder: string): number | null {
  const tenths = namesIn(join(folder, 'block'), /^mmcblk\d+$/)
    .flatMap((card) => (textOf(join(folder, 'block', card, 'device/life_time')) ?? '').split(/\s+/))
    .map((text) => (/^0x[0-9a-f]{2}$/i.test(text) ? Number.parseInt(text, 16) : 0))
    .filter((tenth) => tenth > 0)
  return tenths.length === 0 ? null : Math.max(...tenths) * 10
}

function namesIn(folder: string, fits: RegExp): string[] {
  try {
    return readdirSync(folder).filter((name) => fits.test(name))
  } catch {
    return []
  }
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return null
  }
}

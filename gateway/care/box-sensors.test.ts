// Temperature and wear from the kernel's files, and nothing where they contain nothing.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readSensors } from './box-sensors.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sensors-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function write(file: string, text: string): void {
  const path = join(folder, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

describe('the sensors of the box', () => {
  it('are absent on a machine that has none', () => {
    expect(readSensors(folder)).toEqual({ temperatureCelsius: null, storageWearPercent: null })
    expect(readSensors(join(folder, 'nowhere'))).toEqual({ temperatureCelsius: null, storageWearPercent: null })
  })

  it('report the hottest zone and ignore a sensor that is not a thermal zone', () => {
    write('class/thermal/thermal_zone0/temp', '48312\n')
    write('class/thermal/thermal_zone1/temp', '61500\n')
    write('class/thermal/thermal_zone2/temp', '0\n')
    write('class/thermal/thermal_zone3/temp', '-274000\n')
    write('class/thermal/thermal_zone4/temp', 'nonsense\n')
    write('class/thermal/cooling_device0/temp', '99000\n')
    expect(readSensors(folder).temperatureCelsius).toBe(61.5)
  })

  it('report the wear of built-in storage, the worse of its two memories; a plain card reports none', () => {
    write('block/mmcblk1/device/name', 'SD32G')
    expect(readSensors(folder).storageWearPercent).toBeNull()
    write('block/mmcblk0/device/life_time', '0x00 0x00\n')
    expect(readSensors(folder).storageWearPercent).toBeNull()
    write('block/mmcblk0/device/life_time', '0x01 0x03\n')
    expect(readSensors(folder).storageWearPercent).toBe(30)
  })
})

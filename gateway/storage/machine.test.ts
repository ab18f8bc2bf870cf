// Which hardware facts identify a machine, and when two machines are the same.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isSameMachine, type MachineFiles, readMachine } from './machine.ts'

let dir: string
let database: string
let files: MachineFiles

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'machine-'))
  database = join(dir, 'gateway.db')
  writeFileSync(database, '')
  files = { serial: join(dir, 'serial'), interfaces: join(dir, 'net'), machineId: join(dir, 'machine-id') }
})
afterEach(() => rmSync(dir, { recursive: true }))

const read = (of = database) => readMachine(of, files)
function plugIn(name: string, address: string, { isDevice = true, assigned = '0' } = {}): void {
  mkdirSync(join(files.interfaces, name, ...(isDevice ? ['device'] : [])), { recursive: true })
  writeFileSync(join(files.interfaces, name, 'address'), `${address}\n`)
  writeFileSync(join(files.interfaces, name, 'addr_assign_type'), `${assigned}\n`)
}
const takeOut = (name: string) => rmSync(join(files.interfaces, name), { recursive: true })

describe('a machine', () => {
  it('is identified by its board, whatever adapter it has', () => {
    writeFileSync(files.serial, '10000000abcdef01\0')
    const alone = read()
    plugIn('eth0', 'dc:a6:32:00:00:01')
    expect(read()).toEqual(alone)
    writeFileSync(files.serial, '10000000abcdef02\0')
    expect(isSameMachine(alone, read())).toBe(false)
  })

  it('without a board number is identified by the addresses of its adapters, of which one in common is enough', () => {
    writeFileSync(files.serial, '0000000000000000\0')
    plugIn('eth0', 'dc:a6:32:00:00:01')
    plugIn('usb0', '00:e0:4c:00:00:09')
    const both = read()
    takeOut('usb0')
    expect(isSameMachine(both, read())).toBe(true)
    takeOut('eth0')
    plugIn('eth0', 'dc:a6:32:00:00:02')
    expect(isSameMachine(both, read())).toBe(false)
  })

  it('is not identified by locally chosen addresses, nor by those of bridges', () => {
    plugIn('wlan0', '06:11:22:33:44:55', { assigned: '3' })
    plugIn('docker0', '02:42:00:00:00:01', { isDevice: false })
    plugIn('lo', '00:00:00:00:00:00')
    writeFileSync(files.machineId, '0123456789abcdef\n')
    const before = read()
    takeOut('wlan0')
    takeOut('docker0')
    expect(read()).toEqual(before)
    writeFileSync(files.machineId, 'fedcba9876543210\n')
    expect(isSameMachine(before, read())).toBe(false)
  })

  it('without any known fact is the same as long as its database keeps its path', () => {
    const nothing = read()
    expect(isSameMachine(nothing, read())).toBe(true)
    mkdirSync(join(dir, 'copy'))
    writeFileSync(join(dir, 'copy/gateway.db'), '')
    expect(isSameMachine(nothing, read(join(dir, 'copy/gateway.db')))).toBe(false)
  })

  it('reveals no address and no number', () => {
    writeFileSync(files.serial, '10000000abcdef01\0')
    expect(JSON.stringify(read())).not.toContain('abcdef01')
  })
})

// A piece of the export counts once it is synced and was read back. One that is not is taken back; what was proved, and what others wrote, never.
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { ExportHeld } from './export-hold.ts'
import { OrderExport } from './order-export.ts'

const MONTH = '2026-01'
let files: FileHandle
let folder: string
let orders: OrderExport
beforeAll(async () => {
  const file = await open(import.meta.filename)
  files = Object.getPrototypeOf(file)
  await file.close()
})
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ticketrail-export-'))
  orders = new OrderExport(folder)
  await orders.prepare()
})
afterEach(() => {
  vi.restoreAllMocks()
  orders.close()
  rmSync(folder, { recursive: true })
})

const parts = () => readdirSync(folder).filter((name) => name.endsWith('.gz'))
const textOf = (part: number) => gunzipSync(readFileSync(orders.pathOf(MONTH, part))).toString()
const readBack = async () => ({ bytesRead: 9, buffer: Buffer.alloc(9) })

test.each<[string, () => unknown, string]>([
  ['whose sync fails', () => vi.spyOn(files, 'sync').mockRejectedValueOnce(new Error('EIO')), 'EIO'],
  ['that is read back otherwise', () => vi.spyOn(files, 'read').mockImplementationOnce(readBack as never), 'read back'],
])('a piece %s is taken back: of a file that was there, and of a new one', async (_, spoil, words) => {
  spoil()
  await expect(orders.append(MONTH, null, ['{"n":1}'])).rejects.toThrow(words)
  expect(parts()).toEqual([])
  const place = await orders.append(MONTH, null, ['{"n":1}'])
  const before = readFileSync(orders.pathOf(MONTH, 1))
  spoil()
  await expect(orders.append(MONTH, place, ['{"n":2}'])).rejects.toThrow(words)
  expect(readFileSync(orders.pathOf(MONTH, 1))).toEqual(before)
  await orders.append(MONTH, place, ['{"n":2}'])
  expect(textOf(1)).toBe('{"n":1}\n{"n":2}\n')
})

test('a write that the system takes in parts is written to its end', async () => {
  const write = files.write as (...args: unknown[]) => Promise<never>
  const short = vi.spyOn(files, 'write').mockImplementation(async function (this: FileHandle, ...args: unknown[]) {
    const [buffer, offset, length] = args
    return write.call(this, buffer, offset, Math.min(Number(length), 7))
  } as never)
  await orders.append(MONTH, null, ['{"text":"long enough for several writes"}'])
  expect(short.mock.calls.length).toBeGreaterThan(1)
  expect(textOf(1)).toContain('several writes')
})

describe('a folder that cannot be used is reported with its setting and what to do', () => {
  test('a file of that name, also on the way', async () => {
    writeFileSync(`${folder}.file`, 'mine')
    await expect(new OrderExport(`${folder}.file`).prepare()).rejects.toThrow(
      `CLOUD_EXPORT_DIR ${folder}.file cannot be used (EEXIST): it is a file. Set CLOUD_EXPORT_DIR to another folder.`,
    )
    await expect(new OrderExport(`${folder}.file/orders`).prepare()).rejects.toThrow(
      `CLOUD_EXPORT_DIR ${folder}.file/orders cannot be used (ENOTDIR): a part of its path is a file.`,
    )
    rmSync(`${folder}.file`)
  })

  test('a link to a disk that is not there', async () => {
    symlinkSync('/nowhere/orders', `${folder}.link`)
    await expect(new OrderExport(`${folder}.link`).prepare()).rejects.toThrow(
      `CLOUD_EXPORT_DIR ${folder}.link cannot be used: ${folder}.link is a link to /nowhere/orders, which is not there; is a disk not mounted?`,
    )
    rmSync(`${folder}.link`)
  })

  test('a lock that cannot be opened', async () => {
    orders.close()
    rmSync(join(folder, 'relay.lock'), { force: true })
    mkdirSync(join(folder, 'relay.lock'))
    await expect(new OrderExport(folder).prepare()).rejects.toThrow(
      `CLOUD_EXPORT_DIR ${folder} cannot be used: relay.lock in it cannot be locked (`,
    )
  })
})

describe('a folder that another relay has', () => {
  test('is refused, also where both are at the same place, and nothing that was proved goes', async () => {
    const place = await orders.append(MONTH, null, ['{"n":1}'])
    const second = new OrderExport(folder)
    const raced = await Promise.allSettled([
      orders.append(MONTH, place, ['{"n":2}']),
      second.append(MONTH, place, ['{"n":3}']),
    ])
    expect(raced).toMatchObject([{ status: 'fulfilled' }, { status: 'rejected', reason: expect.any(ExportHeld) }])
    expect([parts().length, textOf(1)]).toEqual([1, '{"n":1}\n{"n":2}\n'])
  })

  test('is free again when that one has ended', async () => {
    const place = await orders.append(MONTH, null, ['{"n":1}'])
    const second = new OrderExport(folder)
    await expect(second.prepare()).rejects.toThrow(/another relay exports into .*CLOUD_EXPORT_DIR/)
    orders.close()
    expect(await second.append(MONTH, place, ['{"n":2}'])).toMatchObject({ part: 1 })
    second.close()
    expect(textOf(1)).toBe('{"n":1}\n{"n":2}\n')
  })

  test('is another one when the folder was moved away: each has its own', async () => {
    await orders.append(MONTH, null, ['{"n":1}'])
    const moved = `${folder}.moved`
    renameSync(folder, moved)
    await orders.append(MONTH, null, ['{"n":2}'])
    await expect(new OrderExport(folder).prepare()).rejects.toThrow(ExportHeld)
    const ofMoved = new OrderExport(moved)
    await ofMoved.prepare()
    ofMoved.close()
    rmSync(moved, { recursive: true })
  })
})

describe('where no lock keeps another program out', () => {
  /** It writes at the same moment, just before or just after ours. */
  const alsoWrites = (first: boolean): void => {
    const write = files.write as (...args: unknown[]) => Promise<never>
    vi.spyOn(files, 'write').mockImplementationOnce(async function (this: FileHandle, ...args: unknown[]) {
      const other = () => appendFileSync(orders.pathOf(MONTH, 1), 'proved by another')
      if (first) other()
      const written = await write.call(this, ...args)
      if (!first) other()
      return written
    } as never)
  }

  test.each([true, false])(
    'what it wrote into the file stays whole (before ours: %s), and so does what was proved',
    async (first) => {
      const place = await orders.append(MONTH, null, ['{"n":1}'])
      const before = readFileSync(orders.pathOf(MONTH, 1))
      alsoWrites(first)
      await expect(orders.append(MONTH, place, ['{"n":2}'])).rejects.toThrow('the file has')
      const after = readFileSync(orders.pathOf(MONTH, 1))
      expect(after.subarray(0, before.length)).toEqual(before)
      expect(after.includes('proved by another')).toBe(true)
      expect(await orders.append(MONTH, place, ['{"n":2}'])).toMatchObject({ part: 2 })
      expect([readFileSync(orders.pathOf(MONTH, 1)), textOf(2)]).toEqual([after, '{"n":2}\n'])
    },
  )

  test('a file that was just begun is not removed with what it wrote into it', async () => {
    alsoWrites(false)
    await expect(orders.append(MONTH, null, ['{"n":1}'])).rejects.toThrow('the file has')
    expect(readFileSync(orders.pathOf(MONTH, 1)).includes('proved by another')).toBe(true)
  })
})

test('a database that was restored from an older copy continues in the next free number, and changes no file', async () => {
  const old = await orders.append(MONTH, null, ['{"n":1}'])
  const newer = await orders.append(MONTH, old, ['{"n":2}'])
  appendFileSync(orders.pathOf(MONTH, 1), 'torn')
  await orders.append(MONTH, newer, ['{"n":3}'])
  const before = [1, 2].map((part) => readFileSync(orders.pathOf(MONTH, part)))
  orders.close()
  orders = new OrderExport(folder)
  const place = await orders.append(MONTH, old, ['{"n":2}'])
  expect(place).toMatchObject({ part: 3 })
  await orders.append(MONTH, place, ['{"n":3}'])
  expect([1, 2].map((part) => readFileSync(orders.pathOf(MONTH, part)))).toEqual(before)
  expect(textOf(3)).toBe('{"n":2}\n{"n":3}\n')
})

// The export on a disk that fills up: nothing is deleted, no half a piece is left, and when there is room again everything goes on.
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SmallDisk, whyNoSmallDisk } from '#test/harness/small-disk.ts'
import { OrderExport } from './order-export.ts'

const reason = whyNoSmallDisk()
const MONTH = '2026-01'

describe.skipIf(reason !== null)(`an export on a full disk${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
  let disk: SmallDisk
  let orders: OrderExport
  beforeEach(async () => {
    disk = new SmallDisk(1)
    orders = new OrderExport(join(disk.path, 'orders'))
    await orders.prepare()
  })
  afterEach(() => {
    orders.close()
    disk.remove()
  })

  /** Text that gzip cannot make smaller. */
  const line = (bytes: number) => JSON.stringify({ text: randomBytes(bytes).toString('base64') })
  const files = () => readdirSync(join(disk.path, 'orders')).filter((name) => name.endsWith('.gz'))

  test('refuses the piece that does not fit, and keeps what was proved before it', async () => {
    const place = await orders.append(MONTH, null, ['{"n":1}'])
    const before = readFileSync(orders.pathOf(MONTH, 1))
    disk.fill()
    await expect(orders.append(MONTH, place, [line(100_000)])).rejects.toThrow('ENOSPC')
    expect([files(), readFileSync(orders.pathOf(MONTH, 1))]).toEqual([['orders-2026-01.jsonl.gz'], before])
    disk.empty()
    expect(await orders.append(MONTH, place, ['{"n":2}'])).toMatchObject({ part: 1 })
    expect(gunzipSync(readFileSync(orders.pathOf(MONTH, 1))).toString()).toBe('{"n":1}\n{"n":2}\n')
  })

  test('leaves no file behind that it had begun', async () => {
    disk.fill()
    await expect(orders.append(MONTH, null, [line(100_000)])).rejects.toThrow('ENOSPC')
    expect(files()).toEqual([])
  })
})

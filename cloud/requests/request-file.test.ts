// The file of the request log when it is full: whose rows go.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newId } from '#shared/ids.ts'
import { RequestFile, type RequestRow, type RowsOf } from './request-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'requests-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const ROW: RequestRow = {
  ...{
    id: newId('req', 1),
    at: 1,
    account: newId('acc', 1),
    environment: 'sandbox',
    keyId: newId('key', 1),
    merchantId: null,
    method: 'POST',
    route: null,
  },
  ...{ path: '/v1/x', status: 404, ms: 1, code: null, fields: '', ids: '  ', body: null, bodyBytes: 0 },
}

test('a full file loses the oldest of whoever has most, and nobody else’s', () => {
  const file = new RequestFile(join(folder, 'full.db'), 1_000)
  const add = (n: number, of: Partial<RequestRow>) =>
    file.add(Array.from({ length: n }, () => ({ ...ROW, id: newId('req', 1), ...of })))
  const looked = (of: RowsOf) => file.reading(of)(5_000, 5_000).looked
  const [busy, small] = [newId('acc', 5), newId('acc', 6)]
  add(3, { account: small, environment: 'sandbox' })
  add(5, { account: busy, environment: 'live' })
  for (let i = 0; i < 50; i++) add(64, { account: busy, environment: 'sandbox' })
  expect(looked({ account: small, environment: 'sandbox' })).toBe(3)
  expect(looked({ account: busy, environment: 'live' })).toBe(5)
  const left = looked({ account: busy, environment: 'sandbox' })
  expect([left > 600, left <= 992]).toEqual([true, true])
  file.close()
})

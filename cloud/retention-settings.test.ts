// How long orders are kept: 400 days by default, never without an explicit number, and never shorter than the time in which a kitchen may still report on them.
import { expect, test } from 'vitest'
import { readCloudConfig } from './config.ts'

const read = (env: Record<string, string>) =>
  readCloudConfig({ CLOUD_MASTER_KEY: Buffer.alloc(32).toString('base64'), ...env })

test.each<[string, Record<string, string>, number | null]>([
  ['nothing', {}, 400],
  ['never', { CLOUD_ORDER_DAYS: 'never' }, null],
  ['0', { CLOUD_ORDER_DAYS: '0' }, null],
  ['60', { CLOUD_ORDER_DAYS: '60' }, 60],
  ['99999', { CLOUD_ORDER_DAYS: '99999' }, 99_999],
])('%s', (_, env, days) => {
  expect(read(env).CLOUD_ORDER_DAYS).toBe(days)
})

test.each(['59', '7', '-1', 'forever', '100000'])(
  '%s is refused, and the message says what may stand there',
  (text) => {
    expect(() => read({ CLOUD_ORDER_DAYS: text })).toThrow('CLOUD_ORDER_DAYS must be a number of days from 60 to 99999')
  },
)

test('orders are deleted without an export only by that name', () => {
  expect(read({}).CLOUD_DELETE_WITHOUT_EXPORT).toBe(false)
  expect(read({ CLOUD_DELETE_WITHOUT_EXPORT: 'yes' }).CLOUD_DELETE_WITHOUT_EXPORT).toBe(true)
  expect(() => read({ CLOUD_DELETE_WITHOUT_EXPORT: 'true' })).toThrow('must be yes or no')
})

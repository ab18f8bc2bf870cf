// Why a listener cannot start: which setting is named, and whether it is tried again.
import { expect, it } from 'vitest'
import { namingPort, whyNotStarted } from './cannot-start.ts'
import { DatabaseHeld } from './storage/sqlite/relay-lock.ts'

const WHERE = { host: 'relay.example', setting: 'CLOUD_HTTP' }

async function whyNot(error: object): Promise<{ code: number; message: string } | null> {
  const thrown = await namingPort(WHERE, () => Promise.reject(Object.assign(new Error('listen'), error))).catch(
    (fault: unknown) => fault,
  )
  return whyNotStarted(thrown)
}

it.each([
  ['ENOTFOUND', { hostname: WHERE.host }, 78, 'does not resolve'],
  ['EAI_AGAIN', { hostname: WHERE.host }, 75, 'cannot be resolved now'],
  ['EADDRNOTAVAIL', { address: WHERE.host }, 75, 'is no address of this machine'],
  ['EINVAL', { address: WHERE.host }, 78, 'cannot be listened on'],
])('%s names the setting of the host', async (code, detail, exit, words) => {
  const why = await whyNot({ code, ...detail })
  expect(why).toEqual({ code: exit, message: expect.stringContaining(`CLOUD_HTTP_HOST relay.example ${words}`) })
})

it('a port in use names the setting of the port', async () => {
  expect(await whyNot({ code: 'EADDRINUSE', port: 80 })).toEqual({
    code: 78,
    message: expect.stringMatching(/port 80 on relay\.example .* CLOUD_HTTP_PORT/),
  })
})

it('a database that another program holds is tried again: an operator’s command ends by itself', () => {
  expect(whyNotStarted(new DatabaseHeld('held'))).toEqual({ code: 75, message: 'held' })
})

it('an error about another host is not blamed on this setting', async () => {
  expect(await whyNot({ code: 'ENOTFOUND', hostname: 'broker.example' })).toBeNull()
})

// A ticket whose layout fails, or that the output firewall refuses, must not stop the kitchen. The failure is injected into the layout.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

const LAYOUT = '#shared/tickets/render-job.ts'

beforeAll(async () => {
  const original = await vi.importActual<typeof import('#shared/tickets/render-job.ts')>(LAYOUT)
  vi.doMock(LAYOUT, () => ({
    renderJobTicket: (...args: Parameters<typeof original.renderJobTicket>) => {
      const { doc } = args[0]
      const name = 'order' in doc ? (doc.order.items[0]?.name ?? '') : ''
      if (name.startsWith('BAD')) throw Object.assign(new Error(`canary ${name}`), { name: name.slice(4) })
      return original.renderJobTicket(...args)
    },
  }))
  // Other tests in this process may have loaded the queue with the real layout.
  vi.resetModules()
})
afterAll(() => {
  vi.doUnmock(LAYOUT)
  vi.resetModules()
})

describe('PrintQueue', () => {
  it.each([
    ['BAD FirewallError', 'firewall'],
    ['BAD TypeError', 'layout-error'],
  ])('reports %s as failed (%s), sends nothing of it, tells nothing of its text and goes on', async (name, reason) => {
    const { GatewayCore } = await import('#test/doubles/gateway-core.ts')
    const core = new GatewayCore()
    await core.queue.start()
    core.accept('pj_1', { order: { items: [{ umsId: 'u', name, qty: 1, modifiers: [], station: null }] } })
    core.accept('pj_2')
    expect(await core.result('pj_1')).toMatchObject({ state: 'failed', reason, tickets: [{ state: 'failed', reason }] })
    expect((await core.result('pj_2')).state).toBe('printed')
    expect(core.transport('grill').sent.map(({ attemptId }) => attemptId)).toEqual(['pj_2-1.1'])
    const lines = core.logged.filter((line) => line.includes('cannot be laid out'))
    expect(lines).toEqual([expect.stringContaining(`"error":"${name.slice(4)}"`)])
    // The message of the error quotes the order.
    expect(core.logged.join('')).not.toContain('canary')
    await core.stop()
  })
})

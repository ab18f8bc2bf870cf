// Lists and followed events of the client, against a scripted relay and a fake clock.
import { describe, expect, it } from 'vitest'
import { ended, ok, refused, type Sent, sdkSite } from '#test/doubles/sdk-site.ts'
import { AuthError } from './error.ts'

describe('a list', () => {
  const pages = [
    ok({ data: [1, 2], nextCursor: 'c2' }),
    ok({ data: [], nextCursor: 'c3' }),
    ok({ data: [3], nextCursor: null }),
  ]

  it('is read entry by entry over all pages', async () => {
    const { client, sent } = sdkSite([...pages])
    const entries: unknown[] = []
    for await (const entry of client.orders.list({ limit: 2 })) entries.push(entry)
    expect(entries).toEqual([1, 2, 3])
    expect(sent.map(({ url }) => new URL(url).searchParams.get('cursor'))).toEqual([null, 'c2', 'c3'])
  })

  it('requests no page before it is read, and none that is not read', async () => {
    const { client, sent } = sdkSite([...pages])
    const list = client.orders.list()
    expect(sent).toHaveLength(0)
    for await (const _entry of list) break
    expect(sent).toHaveLength(1)
  })

  it('is read page by page', async () => {
    const { client, sent } = sdkSite([...pages])
    const page = await client.orders.list({ cursor: 'c9' }).page()
    expect([page.data, page.nextCursor, page.requestId]).toEqual([[1, 2], 'c2', 'req_9'])
    expect(new URL(sent[0]?.url ?? '').searchParams.get('cursor')).toBe('c9')
  })

  it('without pages ends after its only page', async () => {
    const { client, sent } = sdkSite([ok({ data: [1] })])
    for await (const _entry of client.printers.list()) expect(_entry).toBe(1)
    expect(sent).toHaveLength(1)
  })
})

describe('followed events', () => {
  const at = (sent: Sent[]) => sent.map(({ url }) => new URL(url).searchParams.get('after'))

  it('continue from the cursor of the previous page, after a pause', async () => {
    const { client, clock, sent } = sdkSite([ok({ data: [1], nextCursor: 'p1' }), ok({ data: [2], nextCursor: 'p2' })])
    const follow = client.events.follow({ after: 'now', pauseMs: 3_000 })
    expect((await follow.next()).value.nextCursor).toBe('p1')
    expect((await ended(clock, follow.next())).value.nextCursor).toBe('p2')
    expect(at(sent)).toEqual(['now', 'p1'])
    expect((await ended(clock, follow.next())).value).not.toHaveProperty('restarted')
    expect(sent[1]?.atMs).toBeGreaterThanOrEqual(3_000)
  })

  it('start again when the cursor is gone, and wait while the relay does not answer', async () => {
    const { client, clock, sent } = sdkSite([
      ...[refused(410, 'event.place_gone'), 'cut' as const, 'cut' as const, 'cut' as const, 'cut' as const],
      ok({ data: [1], nextCursor: 'p1' }),
    ])
    const page = await ended(clock, client.events.follow({ after: 'evt_1', pauseMs: 1 }).next())
    expect(page.value).toMatchObject({ nextCursor: 'p1', restarted: true })
    expect(at(sent)).toEqual(['evt_1', 'start', 'start', 'start', 'start', 'start'])
  })

  it('end with the error of an invalid call', async () => {
    const { client } = sdkSite([refused(403, 'auth.insufficient_scope')])
    await expect(client.events.follow().next()).rejects.toThrow(AuthError)
  })
})

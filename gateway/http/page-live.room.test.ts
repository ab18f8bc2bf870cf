// The live feed of the page: everything at first, differences after, nothing missed after a reconnect, an end with the session.
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { OPERATIONS } from '#gateway/control/operations.ts'
import { BoxServer, type PageBrowser } from '#test/doubles/box-server.ts'
import { FRY, GRILL } from '#test/doubles/gateway-core.ts'
import { pageTopics } from './page-topics.ts'

interface Heard {
  id: string
  event: string
  // biome-ignore lint/suspicious/noExplicitAny: events of any shape
  data: any
}

/** One open feed. */
class Feed {
  readonly events: Heard[] = []
  ended = false
  readonly #incoming: IncomingMessage

  constructor(incoming: IncomingMessage) {
    this.#incoming = incoming
    let text = ''
    incoming.setEncoding('utf8')
    incoming.on('data', (chunk: string) => {
      text += chunk
      const parts = text.split('\n\n')
      text = parts.pop() ?? ''
      this.events.push(...parts.map(eventOf))
    })
    incoming.on('end', () => {
      this.ended = true
    })
    // Cut off, not ended.
    incoming.on('error', () => {
      this.ended = true
    })
  }

  /** The first event that fits, also one that came before. */
  async heard(fits: (event: Heard) => boolean): Promise<Heard> {
    await expect.poll(() => this.events.some(fits), { interval: 5 }).toBe(true)
    return this.events.find(fits) as Heard
  }

  close(): void {
    this.#incoming.destroy()
  }
}

function eventOf(text: string): Heard {
  const fields = new Map(
    text.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  )
  return {
    id: fields.get('id') ?? '',
    event: fields.get('event') ?? '',
    data: JSON.parse(fields.get('data') ?? 'null'),
  }
}

let box: BoxServer
let browser: PageBrowser
const feeds: Feed[] = []
beforeEach(async () => {
  box = new BoxServer({ printers: [GRILL, FRY] })
  await box.start()
  browser = await box.signedIn('technician')
})
afterEach(async () => {
  for (const feed of feeds.splice(0)) feed.close()
  await box.stop()
})

async function open(lastEventId = '', who = browser): Promise<Feed> {
  const feed = new Feed(await who.open('GET', '/api/v1/live', undefined, { 'last-event-id': lastEventId }))
  feeds.push(feed)
  return feed
}
const isOf = (topic: string, key: string) => (event: Heard) =>
  event.event === 'patch' &&
  event.data.changes.some((change: { topic: string; key: string }) => change.topic === topic && change.key === key)

describe('the live feed', () => {
  it('reads only what a manager may read, so that it shows no one more than that', async () => {
    const asked: string[] = []
    const perform: BoxServer['control']['perform'] = (name, body, who) => {
      asked.push(name)
      return box.control.perform(name, body, who)
    }
    await pageTopics({ perform }, async () => undefined)
    const roles = Object.entries(OPERATIONS).flatMap(([name, { role }]) => (asked.includes(name) ? [role] : []))
    expect(roles.length).toBeGreaterThan(2)
    expect(new Set(roles)).toEqual(new Set(['manager']))
  })

  it('begins with all that the page shows', async () => {
    box.core.accept('pj_1')
    const { data, id } = await (await open()).heard(({ event }) => event === 'hello')
    expect(Object.keys(data.topics)).toEqual(['status', 'printers', 'tickets', 'findings', 'health', 'displays'])
    expect(data.topics.status.box).toMatchObject({ merchantName: 'Bistro', link: { state: 'connected' } })
    expect(Object.keys(data.topics.printers).sort()).toEqual(['fry', 'grill'])
    expect(data.topics.tickets['pj_1-1']).toMatchObject({ orderId: 'O-pj_1', printer: 'Grill' })
    expect(data.topics.findings['printer-no-backup:grill']).toMatchObject({ severity: 'advice' })
    expect(id).toMatch(/^[0-9a-f]{12}-1$/)
    expect(JSON.stringify(data)).not.toContain('Canary')
  })

  it('sends what changed, and only that', async () => {
    const feed = await open()
    await feed.heard(({ event }) => event === 'hello')
    await browser.perform('printers.pause', { printer: 'Grill' })
    await box.core.clock.advance(200)
    const patch = await feed.heard(isOf('printers', 'grill'))
    const changes: { topic: string; key: string; value: Record<string, unknown> }[] = patch.data.changes
    expect(changes.map(({ topic, key }) => `${topic} ${key}`).sort()).toEqual([
      'findings printer-paused:grill',
      'health box',
      'printers grill',
    ])
    expect(changes.find(({ topic }) => topic === 'printers')?.value).toMatchObject({ settings: { paused: true } })
    await browser.perform('printers.resume', { printer: 'Grill' })
    await box.core.clock.advance(200)
    const gone = await feed.heard((event) => event.event === 'patch' && event.data.revision > patch.data.revision)
    expect(gone.data.changes).toContainEqual({ topic: 'findings', key: 'printer-paused:grill', value: null })
  })

  it('beats every five seconds with the time of the box', async () => {
    const feed = await open()
    await feed.heard(({ event }) => event === 'hello')
    await box.core.clock.advance(5_000)
    const beat = await feed.heard(({ event }) => event === 'beat')
    expect(Date.parse(beat.data.time)).toBe(box.core.relayTime.now())
  })

  it('sends a returning page what it missed, and everything when that is no longer stored', async () => {
    const first = await open()
    const { id } = await first.heard(({ event }) => event === 'hello')
    first.close()
    await browser.perform('printers.pause', { printer: 'Grill' })
    const back = await open(id)
    await back.heard(isOf('printers', 'grill'))
    expect(back.events.map(({ event }) => event)).not.toContain('hello')
    // As a page asks that opens another EventSource: it can set no header.
    const asked = new Feed(await browser.open('GET', `/api/v1/live?after=${id}`, undefined, {}))
    feeds.push(asked)
    await asked.heard(isOf('printers', 'grill'))
    for (const strange of ['000000000000-1', 'nonsense', `${id.split('-')[0]}-999`])
      await (await open(strange)).heard(({ event }) => event === 'hello')
  })

  it('ends with the session, and says so', async () => {
    const manager = await box.signedIn('manager')
    const feed = await open('', manager)
    await feed.heard(({ event }) => event === 'hello')
    await manager.send('DELETE', '/api/v1/session', undefined, {})
    expect((await feed.heard(({ event }) => event === 'bye')).data).toEqual({ reason: 'signed-out' })
    await expect.poll(() => feed.ended).toBe(true)
    expect((await manager.get('/api/v1/live')).status).toBe(401)
  })

  it('disconnects a page that does not read, and continues for the others', async () => {
    const cookie = `ticketrail_session=${browser.cookies.get('ticketrail_session')}`
    const stuck = connect(box.http.port, '127.0.0.1')
    stuck.pause()
    const gone = new Promise((resolve) => stuck.on('close', resolve))
    stuck.on('error', () => undefined)
    stuck.write(`GET /api/v1/live HTTP/1.1\r\nHost: 127.0.0.1:${box.http.port}\r\nCookie: ${cookie}\r\n\r\n`)
    const feed = await open()
    await feed.heard(({ event }) => event === 'hello')
    // A finding of a quarter of a megabyte, each time another one.
    for (let n = 0; n < 60; n++) {
      const undoneVersion = `${n} ${'x'.repeat(125_000)}`
      box.boxFacts = { ...box.boxFacts, update: { undoneVersion, availableVersion: null } }
      box.core.db.committed.notify()
      await box.core.clock.advance(200)
      await feed.heard(
        (event) => event.event === 'patch' && event.data.changes[0]?.value?.values?.version === undoneVersion,
      )
    }
    stuck.resume()
    await gone
    expect(feed.ended).toBe(false)
  })

  it('is open to 32 pages', async () => {
    const browsers = [browser]
    for (let n = 1; n <= 4; n++) browsers.push(await box.signedIn('manager', `Max ${n}`))
    for (let n = 0; n < 32; n++) await open('', browsers[n % 4])
    const last = browsers[4] ?? browser
    expect((await last.get('/api/v1/live')).status).toBe(503)
    feeds.pop()?.close()
    const isOpen = async (): Promise<boolean> => {
      const incoming = await last.open('GET', '/api/v1/live', undefined, {})
      incoming.destroy()
      return incoming.statusCode === 200
    }
    await expect.poll(isOpen).toBe(true)
  })

  it('closes the oldest page of a browser that opens ever more: connections that died in its Wi-Fi hold no place', async () => {
    const manager = await box.signedIn('manager')
    const other = await open('', manager)
    for (let n = 0; n < 40; n++) await open()
    const own = feeds.filter((feed) => feed !== other)
    await expect.poll(() => own.filter(({ ended }) => !ended).length).toBe(8)
    expect(own.slice(-8).every(({ ended }) => !ended)).toBe(true)
    expect(other.ended).toBe(false)
  })

  it('of a kitchen screen does so, too', async () => {
    const [screen, neighbour] = [box.display('Pass'), box.display('Bar')]
    const openAt = async (who: PageBrowser): Promise<Feed> => {
      const feed = new Feed(await who.open('GET', '/kitchen/api/live', undefined, {}))
      feeds.push(feed)
      return feed
    }
    const other = await openAt(neighbour)
    const own: Feed[] = []
    for (let n = 0; n < 140; n++) own.push(await openAt(screen))
    await expect.poll(() => own.filter(({ ended }) => !ended).length).toBe(8)
    expect(own.slice(-8).every(({ ended }) => !ended)).toBe(true)
    expect(other.ended).toBe(false)
  })
})

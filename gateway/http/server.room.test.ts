// The page and the health routes over real sockets: what they show, what they refuse, that foreign text stays text.
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { boxAccess } from '#gateway/control/box-access.ts'
import type { PrinterView } from '#gateway/queue/print-queue.ts'
import { type GatewayDatabase, openGatewayDatabase } from '#gateway/storage/database.ts'
import type { RecentTicket } from '#gateway/storage/history-store.ts'
import { SessionStore } from '#gateway/storage/session-store.ts'
import { systemClock } from '#shared/clock.ts'
import { printerReason } from '#shared/print-job.ts'
import { hostNameOf } from './request-guard.ts'
import { HttpServer } from './server.ts'
import type { LinkView } from './status-view.ts'

const HOSTILE = `<img src=x onerror=alert(1)>"'&`
const NOW = 1_795_000_000_000

function printer(over: Partial<PrinterView> = {}): PrinterView {
  return {
    printerId: 'grill',
    name: 'Grill',
    stations: ['grill'],
    isDefault: true,
    state: 'online',
    reasons: ['none'],
    queued: 0,
    host: '10.0.0.5',
    port: 9100,
    profileId: 'generic-80',
    hint: '',
    sinceMs: NOW - 120_000,
    isPaused: false,
    parked: 0,
    isAbsent: false,
    ticketsGoTo: '',
    stranger: null,
    place: null,
    ...over,
  }
}

function ticket(over: Partial<RecentTicket> = {}): RecentTicket {
  return {
    ticketId: 'pj_1-1',
    jobId: 'pj_1',
    position: 1,
    paper: 'kitchen',
    movedFrom: null,
    orderId: 'O-1',
    orderNumber: 'O-1',
    printerId: 'grill',
    printerName: 'Grill',
    kind: 'order',
    state: 'printed',
    attempts: 1,
    possibleDuplicate: false,
    confirmation: 'confirmed',
    method: 'gs-paren-h',
    reason: null,
    receivedAtMs: NOW - 5_000,
    notBeforeMs: null,
    settledAtMs: NOW - 4_000,
    unprintable: 0,
    ...over,
  }
}

describe('HttpServer', () => {
  let db: GatewayDatabase
  let dir: string
  let server: HttpServer
  let url: string
  let shown: { ready: boolean; link: LinkView; printers: PrinterView[]; tickets: RecentTicket[] }
  beforeEach(async () => {
    shown = {
      ready: true,
      link: { state: 'connected', sinceMs: NOW - 60_000, detail: '' },
      printers: [printer()],
      tickets: [ticket()],
    }
    dir = mkdtempSync(join(tmpdir(), 'http-server-'))
    db = openGatewayDatabase(join(dir, 'gateway.db'))
    server = new HttpServer({
      ...{ control: { perform: async () => ({}) }, access: boxAccess(db), sessions: new SessionStore(db) },
      ...{ changes: [], files: () => null, clock: systemClock },
      host: '127.0.0.1',
      port: 0,
      ourNames: () => new Set(['127.0.0.1', 'localhost', 'kitchen-pi.local']),
      log: pino({ level: 'silent' }),
      source: {
        app: 'ticketrail-gateway/test',
        gatewayId: 'gw_1',
        merchantName: `Ana's ${HOSTILE}`,
        isReady: () => shown.ready,
        link: () => shown.link,
        printers: () => shown.printers,
        queue: () => ({ queued: 3, held: 2, unreported: 1 }),
        recent: () => shown.tickets,
        nowMs: () => NOW,
        wallMs: () => NOW,
      },
    })
    await server.start()
    url = `http://127.0.0.1:${server.port}`
  })
  afterEach(async () => {
    await server.stop()
    db.close()
    rmSync(dir, { recursive: true, force: true })
  })
  const page = async (): Promise<string> => (await fetch(url)).text()
  /** One request as written; resolves with all that comes back until the server closes. */
  const raw = (text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      let answer = ''
      const socket = connect(server.port, '127.0.0.1', () => socket.write(text))
      socket.on('data', (chunk) => {
        answer += chunk
      })
      socket.on('error', reject)
      socket.on('close', () => resolve(answer))
    })
  const rawGet = (hosts: string): Promise<string> => raw(`GET /healthz HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`)

  it('is alive, and ready while it can print, whatever the relay does', async () => {
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    shown.link = { state: 'connecting', sinceMs: NOW, detail: 'refused' }
    const ready = await fetch(`${url}/readyz`)
    expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready', link: 'connecting' }])
    shown.ready = false
    expect((await fetch(`${url}/readyz`)).status).toBe(503)
  })

  it('gives programs the same facts as people', async () => {
    expect(await (await fetch(`${url}/api/status`)).json()).toMatchObject({
      gatewayId: 'gw_1',
      link: { state: 'connected', since: '2026-11-18T11:05:40.000Z' },
      queue: { queued: 3, held: 2, unreported: 1 },
      printers: [{ name: 'Grill', state: 'online' }],
      tickets: [{ orderId: 'O-1', state: 'printed', confirmation: 'confirmed', settledAt: '2026-11-18T11:06:36.000Z' }],
    })
  })

  it('describes each state in words, and what to do', async () => {
    shown.printers.push(
      printer({ name: 'Fry', state: 'offline', reasons: ['media-empty'], hint: 'Put in a new roll.', queued: 4 }),
    )
    shown.tickets.push(ticket({ state: 'printed', confirmation: 'assumed', method: 'none' }))
    shown.tickets.push(ticket({ state: 'uncertain', confirmation: null, method: null, reason: 'timed-out' }))
    shown.link = { state: 'connecting', sinceMs: NOW - 7_200_000, detail: 'refused' }
    const text = await page()
    for (const words of [
      'Ready',
      'Not printing: out of paper',
      'Put in a new roll.',
      '4 waiting',
      'Not connected',
      'for 2 h',
    ])
      expect(text).toContain(words)
    for (const words of ['Printed, confirmed', 'Sent, not verified', 'Look at the printer'])
      expect(text).toContain(words)
  })

  it('asks no one to look for a ticket whose result the relay already had', async () => {
    const settled = { reason: 'settled-before', attempts: 0, possibleDuplicate: true, confirmation: null, method: null }
    shown.tickets = [ticket({ state: 'uncertain', ...settled }), ticket({ state: 'cancelled', ...settled })]
    const text = await page()
    expect(text.match(/Settled before/g)).toHaveLength(2)
    expect(text).toContain('the relay already had its result')
    for (const words of ['Look at the printer', 'Cancelled', 'POSSIBLE DUPLICATE']) expect(text).not.toContain(words)
  })

  it('lists paused and absent printers, and tickets that wait for a person', async () => {
    shown.printers = [
      printer({ isPaused: true }),
      printer({ name: 'Fry', state: 'offline', reasons: ['offline'], isAbsent: true, parked: 2 }),
    ]
    shown.tickets = [
      ticket({ state: 'parked', reason: 'doubt', confirmation: null, method: null }),
      ticket({ state: 'parked', reason: 'stale', confirmation: null, method: null }),
    ]
    const text = await page()
    for (const words of ['Paused', 'its tickets go to its backup', '2 to decide about', 'Waits for you', 'too old'])
      expect(text).toContain(words)
  })

  it('shows the state of each printer, and since when', async () => {
    expect(await page()).toContain('takes everything<')
    expect(await page()).toContain('for 2 min')
    shown.printers = [printer(), printer({ name: 'Bar', stations: [], isDefault: false })]
    expect(await page()).toContain('serves grill; takes everything else')
    expect(await page()).toContain('takes nothing: no station is set for it')
  })

  it('has a name for every reason, in words that a cook understands', async () => {
    for (const reason of printerReason.options.filter((each) => each !== 'none')) {
      shown.printers = [printer({ state: 'offline', reasons: [reason] })]
      const words = /Not printing: ([^<]+)</.exec(await page())?.[1]
      expect(words, reason).toMatch(/^[a-z][a-z, ]+$/)
      expect(words, reason).not.toMatch(/media|device|recoverable|timed/)
    }
  })

  it('has a heading for each section for screen readers, and connection changes are announced', async () => {
    const text = await page()
    const labels = [...text.matchAll(/aria-labelledby="([a-z]+)"/g)].map((match) => match[1])
    expect(labels).toEqual(['connection', 'printers', 'queue', 'tickets'])
    for (const label of labels) expect(text).toContain(`<h2 id="${label}">`)
    expect(text).toContain('id="freshness" role="status"')
    expect(text.match(/<h1>/g)).toHaveLength(1)
  })

  it('shows foreign text as text', async () => {
    shown.tickets = [ticket({ orderId: HOSTILE, reason: HOSTILE, printerName: HOSTILE })]
    shown.printers = [printer({ name: HOSTILE, host: HOSTILE, stations: [HOSTILE], hint: HOSTILE, state: 'offline' })]
    shown.link = { state: 'connecting', sinceMs: NOW, detail: HOSTILE }
    const text = await page()
    expect(text).not.toContain('<img')
    expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;')
  })

  it('loads nothing from elsewhere and runs no inline script', async () => {
    const response = await fetch(url)
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/^default-src 'self';/)
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
    const text = await response.text()
    expect(text.match(/<script[^>]*>/g)).toEqual(['<script src="/app.js" defer>'])
    expect(text).not.toMatch(/https?:\/\/|style="|<style|onclick/)
    for (const file of ['/app.js', '/app.css']) expect((await fetch(url + file)).status).toBe(200)
  })

  it('answers only to its own names', async () => {
    for (const host of ['localhost', `127.0.0.1:${server.port}`, 'KITCHEN-PI.local.'])
      expect(await rawGet(`Host: ${host}\r\n`)).toMatch(/^HTTP\/1.1 200/)
    for (const host of ['evil.example', 'localhost.evil.example', '10.0.0.9', 'a@localhost', ''])
      expect(await rawGet(`Host: ${host}\r\n`)).toMatch(/^HTTP\/1.1 4(21|00)/)
    expect(await rawGet('Host: localhost\r\nHost: evil.example\r\n')).toMatch(/^HTTP\/1.1 4(21|00)/)
  })

  it('refuses with a code and words', async () => {
    const lost = await fetch(`${url}/nothing`)
    expect([lost.status, await lost.json()]).toMatchObject([404, { code: 'not-found', message: expect.any(String) }])
    const post = await fetch(url, { method: 'POST', body: 'x'.repeat(5_000) })
    expect([post.status, await post.json()]).toMatchObject([405, { code: 'method' }])
    expect(post.headers.get('allow')).toBe('GET, HEAD')
    const bad = await fetch(`${url}/%E0%A4%A`)
    expect([bad.status, await bad.json()]).toMatchObject([400, { code: 'invalid', message: expect.any(String) }])
    expect(await raw('NONSENSE\r\n\r\n')).toMatch(/^HTTP\/1.1 400 .*\{"code":"invalid"/s)
  })
})

describe('hostNameOf', () => {
  it.each([
    ['LocalHost:8081', 'localhost'],
    ['[::1]:80', '::1'],
    ['10.0.0.1', '10.0.0.1'],
    ['a b', null],
    ['x:y', null],
    [undefined, null],
  ])('of %s is %s', (header, name) => {
    expect(hostNameOf(header)).toBe(name)
  })
})

// Text from outside is data on its way to the page: it is sent as JSON that no browser runs, and as escaped text in the one page that the box renders itself.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BoxServer, PASSWORD, type PageBrowser } from '#test/doubles/box-server.ts'
import { FRY, GRILL } from '#test/doubles/gateway-core.ts'

const CORPUS = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'-alert(1)-'",
  '</title><svg onload=alert(1)>',
  'javascript:alert(1)',
  '{{constructor.constructor("alert(1)")()}}',
  ['$', '{alert(1)}'].join(''),
  ']]><script>1</script>',
  '<!--<script>',
  '\u2028\u2029alert(1)',
  '\u202Etxt.exe',
]

let box: BoxServer
let page: PageBrowser
beforeAll(async () => {
  box = new BoxServer({ printers: [GRILL, FRY] })
  await box.start()
  page = await box.signedIn('technician')
})
afterAll(() => box.stop())

describe('hostile text in every field', () => {
  it('is sent as JSON, byte for byte as received, and never as markup', async () => {
    for (const [n, text] of CORPUS.entries()) {
      const name = text.slice(0, 40)
      await page.perform('settings.put', { name: text.slice(0, 60) })
      const person = { name: `${n}${name}`.slice(0, 40), role: 'manager', password: 'long-enough' }
      await page.perform('users.add', { ...person, ownPassword: PASSWORD })
      await page.perform('printers.update', { printer: 'grill', stations: [text] })
      await page.perform('routing.put', {
        rules: [{ name: text.slice(0, 40), when: { category: text }, print: { printerIds: ['grill'] } }],
      })
      box.core.accept(`pj_${n}`, {
        order: { orderId: text, items: [{ umsId: 'U', name: text, qty: 1, modifiers: [], station: text }] },
      })
      box.boxFacts = { ...box.boxFacts, update: { undoneVersion: text, availableVersion: null } }
      for (const operation of [
        'status',
        'users.list',
        'settings.get',
        'printers.list',
        'routing.get',
        'health.list',
        'jobs.list',
        'logs.list',
      ]) {
        const answer = await page.perform(operation)
        expect(answer.headers['content-type'], operation).toBe('application/json; charset=utf-8')
        expect(answer.headers['x-content-type-options']).toBe('nosniff')
        expect(answer.status, `${operation} ${answer.text}`).toBe(200)
      }
      expect((await page.perform('jobs.list', { limit: 1 })).body.result.tickets[0].orderId).toBe(text)
      const status = await page.get('/status')
      expect(status.text).not.toMatch(/<script>|<img|<svg|onerror=alert\(1\)>/)
    }
  })

  it('in a path or a field is reported without being repeated as markup', async () => {
    for (const text of CORPUS) {
      const answers = [
        await page.get(`/${encodeURIComponent(text)}`),
        await page.get(`/assets/${encodeURIComponent(text)}`),
        await page.perform('jobs.show', { ticketId: text }),
        await page.perform('printers.pause', { printer: text, [text]: 1 }),
        await box.browser().post('/api/v1/session', { name: text, password: text }),
      ]
      for (const { status, headers } of answers) {
        expect(status).toBeGreaterThanOrEqual(400)
        expect(status).toBeLessThan(500)
        expect(headers['content-type']).toBe('application/json; charset=utf-8')
      }
    }
  })

  it('cannot break out of an event of the live feed', async () => {
    const incoming = await page.open('GET', '/api/v1/live', undefined, {})
    incoming.setEncoding('utf8')
    let text = ''
    for await (const chunk of incoming) {
      text += chunk
      if (text.includes('\n\n')) break
    }
    const [hello = ''] = text.split('\n\n')
    expect(hello.split('\n').map((line) => line.split(':')[0])).toEqual(['id', 'event', 'data'])
    expect(hello).toContain(JSON.stringify(CORPUS[0]).slice(1, -1))
  })
})

// Names that turn text around, or are written from the right: nothing beside them is turned on any page. And the page as it is read from the right.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { AdminSite } from './admin-site.ts'
import { keepWidths } from './screens.ts'
import type { Visitor } from './visitor.ts'

/** Turned around by control characters, and written from the right. */
const HEBREW = 'מטבח 7'
const TURNED = 'Gr\u202eill\u2069 \u202d9'
const LATIN = 'A B'

const site = new AdminSite()
let visitor: Visitor
const paths = [
  '',
  'printers',
  'jobs',
  'repairs',
  'displays',
  'routing',
  'orders',
  'logs',
  'settings',
  'users',
  'care',
  'test-order',
]

beforeAll(async () => {
  const order = {
    serviceOrderId: 'ord_hostile',
    orderId: TURNED,
    items: [HEBREW, TURNED].map((name, index) => ({
      ...{ umsId: String(index), name, qty: 1, modifiers: [], station: 'grill', note: TURNED },
      course: index + 1,
    })),
  }
  await site.start({}, [], (core) => void core.accept('hostile', { order }))
  visitor = await site.technician()
  await visitor.post('settings.put', { name: HEBREW, timeZone: 'Europe/Madrid' })
  const profileId = 'epson-thermal-203'
  const at = { host: '127.0.0.1', profileId, stations: ['grill', HEBREW, '\u202etats'] }
  await visitor.post('printers.add', { ...at, name: HEBREW, port: site.ports[0] })
  const { printerId } = (await visitor.post('printers.add', { ...at, name: LATIN, port: site.ports[1] })) as {
    printerId: string
  }
  await visitor.post('printers.pause', { printer: printerId })
  await visitor.post('displays.add', { name: HEBREW, stations: [HEBREW] })
  await visitor.post('users.add', {
    name: HEBREW,
    role: 'manager',
    password: 'a door of my own',
    ownPassword: 'four plain kitchen words',
  })
  const { tickets } = (await visitor.post('jobs.list', {})) as { tickets: { ticketId: string }[] }
  paths.push(`jobs/${tickets[0]?.ticketId}`, `printers/${printerId}`)
})
afterAll(() => site.stop())

/** In words, each line of Latin text that does not run from the left, as it is drawn. */
async function turnedLines(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const faults: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.textContent ?? ''
      const range = document.createRange()
      let before: { left: number; top: number } | null = null
      for (let at = 0; at < text.length; at++) {
        // Numbers and words of ours; letters that are written from the right, and what stands between them, run otherwise by right.
        if (!/[A-Za-z]/.test(text[at] ?? '')) continue
        range.setStart(node, at)
        range.setEnd(node, at + 1)
        const { left, top, width } = range.getBoundingClientRect()
        if (width === 0) continue
        if (before && Math.abs(top - before.top) < 2 && left < before.left) {
          faults.push(text)
          break
        }
        before = { left, top }
      }
    }
    return faults
  })
}

it('reorders no text beside a name, on any page', async () => {
  const { page } = visitor
  const faults: string[] = []
  let seen = 0
  for (const path of paths) {
    await page.goto(`/admin/${path}`)
    await page.locator('h1').waitFor()
    await page.locator('.mark.ok', { hasText: '●' }).first().waitFor()
    for (const line of await turnedLines(page)) faults.push(`${path}: ${line}`)
    // Sentences of ours isolate by U+2068 and U+2069.
    const text = (await page.locator('body').textContent()) ?? ''
    if (/[\u202a-\u202e\u2066\u2067]/.test(text)) faults.push(`${path}: has characters that turn text`)
    seen += await page.getByText(HEBREW.slice(0, 4)).count()
  }
  expect(faults).toEqual([])
  expect(seen).toBeGreaterThan(8)
})

it('runs every sentence of a finding as the page runs, whatever name it begins with', async () => {
  const { page } = visitor
  const against = async (): Promise<string[]> => {
    await page.goto('/admin/repairs')
    await page.locator('.finding').nth(2).waitFor()
    return await page.evaluate(() => {
      const { direction } = getComputedStyle(document.documentElement)
      const all = [...document.querySelectorAll('.finding, .finding *')]
      return all.flatMap((it) => (getComputedStyle(it).direction === direction ? [] : [it.textContent ?? '']))
    })
  }
  expect(await against()).toEqual([])
  await page.evaluate(() => localStorage.setItem('ticketrail.language', 'ar'))
  expect(await against()).toEqual([])
  expect(await page.locator('html').getAttribute('dir')).toBe('rtl')
  await page.evaluate(() => localStorage.setItem('ticketrail.language', 'en'))
})

it('sees text that is turned around', async () => {
  const { page } = visitor
  // In English: the page before it may be in Arabic still, where more runs the other way.
  await page.goto('/admin/')
  await page.locator('h1').waitFor()
  await page.evaluate(
    (name) => {
      const line = document.createElement('p')
      line.textContent = `Waits at ${name} for 3 tickets`
      document.body.append(line)
    },
    TURNED.replaceAll('\u2069', ''),
  )
  expect(await turnedLines(page)).toHaveLength(1)
})

it('is laid out from the right where one reads from there: the menu too, and nothing is too wide', async () => {
  const { page } = visitor
  const faults: string[] = []
  for (const path of paths.slice(0, 12)) {
    await page.goto(`/admin/${path}`)
    await page.locator('h1').waitFor()
    await page.evaluate(() => {
      document.documentElement.dir = 'rtl'
    })
    const menu = await page.locator('nav').boundingBox()
    const main = await page.locator('main').boundingBox()
    expect((menu?.x ?? 0) > (main?.x ?? 0), path).toBe(true)
    faults.push(...(await keepWidths(page, `admin-rtl-${path || 'overview'}`, { widths: [390, 1_280] })))
  }
  expect(faults).toEqual([])
})

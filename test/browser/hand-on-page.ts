// A hand and an eye before a page of the kitchen display: what the page shows at each press, which order it changes by that, and what it sends to the box.
import type { Browser, Page } from 'playwright-core'
import type { KitchenAct } from '#shared/wire/kitchen.ts'
import { newVisitor, type Visitor } from './visitor.ts'

/** What is seen at a moment. */
export interface Sight {
  /** Order of the selected ticket in sight; null: none is. */
  selected: string | null
  /** Ids in the order of reading. */
  cards: readonly string[]
  /** Middles of what can be pressed, in css px. */
  targets: readonly { order: string; words: string; isLine: boolean; x: number; y: number }[]
}

/** An act that the page has put into its queue, and what the page showed at the press that made it. */
export interface Deed {
  id: string
  kind: KitchenAct['kind']
  orderId: string
  by: 'finger' | 'key' | null
  key: string
  /** Order under the finger when it went down, or selected when the key did; null: none was. */
  shown: string | null
  /** What was selected since somebody last looked, one after the other; null: nothing in sight. */
  since: readonly (string | null)[]
  /** What the button for taking back offered. */
  undo: string
}

/** Nobody at a board waits longer before pressing what is chosen. */
const PATIENCE_MS = 450

/** Runs in the page before its own script: each act that is kept for sending, beside the press that is being handled. */
const RECORDER = `(() => {
  const deeds = [], known = new Set()
  const nobody = { by: null, key: '', shown: null, since: [], undo: '' }
  let press = nobody
  const selected = () => document.querySelector('.card[aria-current="true"]')?.dataset.order ?? null
  const undo = () => document.querySelector('.undo bdi')?.textContent ?? ''
  const orderOf = (target) => target.closest?.('[data-order]')?.dataset.order ?? null
  let finger = null
  let since = []
  new MutationObserver(() => { if (since[since.length - 1] !== selected()) since.push(selected()) })
    .observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['aria-current'] })
  addEventListener('pointerdown', ({ target }) => { finger = { by: 'finger', key: '', shown: orderOf(target), since: [], undo: undo() } }, true)
  addEventListener('click', () => { press = finger ?? nobody; setTimeout(() => { press = nobody }) }, true)
  addEventListener('keydown', ({ key }) => {
    press = { by: 'key', key, shown: selected(), since: [...since], undo: undo() }
    setTimeout(() => { press = nobody })
  }, true)
  const keep = Storage.prototype.setItem
  Storage.prototype.setItem = function (name, value) {
    if (name === 'ticketrail.taps')
      for (const { id, kind, orderId } of JSON.parse(value)) {
        if (known.has(id)) continue
        known.add(id)
        deeds.push({ id, kind, orderId, ...press })
      }
    return keep.call(this, name, value)
  }
  const middle = (it) => { const { x, y, width, height } = it.getBoundingClientRect(); return { x: x + width / 2, y: y + height / 2 } }
  window.look = () => {
    since = [selected()]
    return {
      selected: selected(),
      cards: [...new Set([...document.querySelectorAll('.card')].map((it) => it.dataset.order))],
      targets: [...document.querySelectorAll('.card button')].map((it) => ({
        order: orderOf(it), words: it.textContent, isLine: it.classList.contains('strike'), ...middle(it),
      })),
    }
  }
  window.untilNotSelected = (orderId) => new Promise((resolve) => {
    const watch = new MutationObserver(() => { if (selected() !== orderId) end() })
    const end = () => { watch.disconnect(); resolve() }
    watch.observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ['aria-current'] })
    setTimeout(end, ${PATIENCE_MS})
    if (selected() !== orderId) end()
  })
  window.newDeeds = () => deeds.splice(0)
})()`

export class HandOnPage {
  readonly name: string
  readonly page: Page
  readonly visitor: Visitor
  /** Acts as they went to the box, by their ids. */
  readonly sent = new Map<string, KitchenAct>()

  private constructor(name: string, visitor: Visitor) {
    this.name = name
    this.visitor = visitor
    this.page = visitor.page
    this.page.on('request', (request) => {
      if (!request.url().endsWith('/kitchen/api/acts')) return
      for (const act of (request.postDataJSON() as { acts: KitchenAct[] }).acts) this.sent.set(act.id, act)
    })
  }

  static async on(browser: Browser, { name, url }: { name: string; url: string }): Promise<HandOnPage> {
    const visitor = await newVisitor(browser, { url, width: 800, height: 640 })
    await visitor.page.emulateMedia({ reducedMotion: 'reduce' })
    await visitor.page.addInitScript(RECORDER)
    return new HandOnPage(name, visitor)
  }

  look(): Promise<Sight> {
    return this.page.evaluate('look()')
  }

  /** What the page has put into its queue since the last call. */
  newDeeds(): Promise<Deed[]> {
    return this.page.evaluate('newDeeds()')
  }

  /** Or until somebody who stands there presses anyway. */
  async untilAnotherIsSelected(orderId: string | null): Promise<void> {
    await this.page.evaluate(`untilNotSelected(${JSON.stringify(orderId)})`)
  }

  press(key: string): Promise<void> {
    return this.page.keyboard.press(key)
  }

  tapAt({ x, y }: { x: number; y: number }): Promise<void> {
    return this.page.mouse.click(x, y)
  }
}

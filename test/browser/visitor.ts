// A person's own browser before a page of ours: what it complains of is kept, and it can ask the server as the page does.
import type { Browser, BrowserContext, Page } from 'playwright-core'

/** More than any page has places for the focus. */
const MOST_TABS = 100

export interface VisitorOptions {
  /** Address of the server. */
  url: string
  /** Below which the page asks; default: the box's. */
  api?: string
  locale?: string
  width?: number
  height?: number
}

export async function newVisitor(
  browser: Browser,
  { url, api = '/api/v1/', locale = 'en', width = 1_280, height = 900 }: VisitorOptions,
): Promise<Visitor> {
  const context = await browser.newContext({ locale, viewport: { width, height }, baseURL: url })
  // Whatever is waited for comes within seconds; a busy machine may need many more.
  context.setDefaultTimeout(100_000)
  return new Visitor(context, await context.newPage(), api)
}

export class Visitor {
  readonly context: BrowserContext
  readonly page: Page
  /** What the browser complained of: scripts that broke, styles that the CSP refused. */
  readonly complaints: string[] = []
  readonly #api: string

  constructor(context: BrowserContext, page: Page, api: string) {
    this.#api = api
    this.context = context
    this.page = page
    page.on('pageerror', (error) => this.complaints.push(String(error)))
    page.on('console', (message) => {
      if (message.type() === 'error') this.complaints.push(message.text())
    })
  }

  /** As the page does: with its own origin and cookie. */
  async post(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<unknown> {
    return await this.page.evaluate(
      async ([to, sent, more]) => {
        const answer = await fetch(to, {
          method: 'POST',
          headers: { ...more, 'content-type': 'application/json' },
          body: JSON.stringify(sent),
        })
        const { result, message } = (await answer.json()) as { result: unknown; message: string }
        if (!answer.ok) throw new Error(`${to}: ${message}`)
        return result
      },
      [`${this.#api}${path}`, body, headers] as const,
    )
  }

  /** Presses Tab until the focus is on what has this label or these words. */
  async tabTo(words: RegExp): Promise<void> {
    for (let presses = 0; presses < MOST_TABS; presses++) {
      await this.page.keyboard.press('Tab')
      if (words.test(await this.#focused())) return
    }
    throw new Error(`the keyboard does not reach ${words}`)
  }

  /** By keyboard alone: to the field with this label, and the text in the place of what stands there. */
  async typeInto(label: RegExp, text: string): Promise<void> {
    await this.tabTo(label)
    await this.page.keyboard.press('ControlOrMeta+a')
    await this.page.keyboard.type(text)
  }

  /** By keyboard alone: to the button or link with these words, and Enter. */
  async pressOn(words: RegExp): Promise<void> {
    await this.tabTo(words)
    await this.page.keyboard.press('Enter')
  }

  #focused(): Promise<string> {
    // As text: the benches have no types of a page.
    return this.page.evaluate(`{
      const it = document.activeElement
      ;[it?.getAttribute('aria-label'), it?.labels?.[0]?.textContent, it?.textContent].filter(Boolean).join(' ')
    }`)
  }
}

/** Counts what the page receives from now on, in bytes of bodies as they come over the wire. */
export async function countBytes(page: Page): Promise<{ readonly bytes: number }> {
  const received = { bytes: 0 }
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  session.on('Network.dataReceived', ({ encodedDataLength }) => {
    received.bytes += encodedDataLength
  })
  return received
}

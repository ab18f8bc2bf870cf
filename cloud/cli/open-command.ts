// open: opens a page of the dashboard in the browser. Also opens the browser for other commands.
import { platform } from 'node:os'
import { EXIT, LineError } from '#shared/cli/command.ts'
import type { Command, Line } from './command.ts'

const PAGES: Readonly<Record<string, string>> = {
  orders: '/orders',
  keys: '/keys',
  webhooks: '/webhooks',
  requests: '/requests',
  events: '/events',
}
/** Pages for ids, by prefix. */
const PAGES_OF_IDS: Readonly<Record<string, string>> = {
  ord: '/orders',
  we: '/webhooks',
  dlv: '/deliveries',
  evt: '/events',
  req: '/requests',
}

export const openCommand: Command = {
  name: 'open',
  usage: `[${[...Object.keys(PAGES), 'ID'].join('|')}]`,
  summary: 'Opens the dashboard: one of its pages, or an order, event, endpoint, delivery or call by its id',
  options: {},
  examples: ['', 'webhooks', 'ord_01jd3k5v8wz9x0y1a2b3c4d5e6'],
  run: async (line) => {
    const url = `${line.settings().url}/dashboard${pageOf(line.words[0])}`
    const opened = await openBrowser(line, url)
    return { data: { url, opened }, text: url }
  },
}

/** @throws LineError for a word that is neither a page nor an id */
function pageOf(word: string | undefined): string {
  if (word === undefined) return ''
  const page = Object.hasOwn(PAGES, word) ? PAGES[word] : undefined
  if (page !== undefined) return page
  const [, kind = ''] = /^([a-z]{2,3})_[\w-]+$/.exec(word) ?? []
  if (Object.hasOwn(PAGES_OF_IDS, kind)) return `${PAGES_OF_IDS[kind]}/${word}`
  const ids = Object.keys(PAGES_OF_IDS).map((prefix) => `${prefix}_...`)
  throw new LineError(`"${word}" is no page: name ${[...Object.keys(PAGES), ...ids].join(', ')}.`, EXIT.usage)
}

/** Starts a browser if there is a display. @returns whether it did; print the address in any case */
export async function openBrowser({ env, open }: Line, address: string): Promise<boolean> {
  const url = URL.parse(address)
  if (url === null || !/^https?:$/.test(url.protocol)) return false
  const isRemote = env['SSH_CONNECTION'] !== undefined
  const hasScreen = platform() === 'darwin' || env['DISPLAY'] !== undefined || env['WAYLAND_DISPLAY'] !== undefined
  if (isRemote || !hasScreen) return false
  return open(platform() === 'darwin' ? 'open' : 'xdg-open', [url.href]).then(
    () => true,
    () => false,
  )
}

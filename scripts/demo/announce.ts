// What `npm start` prints when all is ready: addresses, key, and an order to paste.
import { BISTRO_MENU } from '#cloud/sandbox/bistro-menu.ts'
import type { DemoAccount } from './account.ts'
import type { Address } from './options.ts'

export interface Announcement {
  cloudUrl: string
  gatewayUrl: string
  /** Signs in as the demo's owner, once; null: there is none. */
  dashboardLink: string | null
  account: DemoAccount
  printer: Address
  /** Folder of the paper, or null when a real printer prints. */
  paperDir: string | null
  dataDir: string
  /** The gateway's control socket; null: its command line finds it by itself. */
  controlSocket: string | null
  /** Whether `npm run ticketrail` finds this demo by itself; otherwise TICKETRAIL_DEMO names it. */
  isFound: boolean
  /** One-time code of the page's first user; null: there is a first user, or no code could be made. */
  setupCode: string | null
}

export function announcement(about: Announcement): string {
  const { cloudUrl, gatewayUrl, dashboardLink, account, printer, paperDir, dataDir, controlSocket, setupCode } = about
  const ticketrail = `${about.isFound ? '' : `TICKETRAIL_DEMO=${quoted(dataDir)} `}npm run -s ticketrail --`
  const socket = controlSocket === null ? '' : `GATEWAY_CONTROL_SOCKET=${quoted(controlSocket)} `
  const firstUser =
    setupCode === null
      ? `${socket}npm run -s gateway -- welcome (shows the set-up code, while there is no user)`
      : `${gatewayUrl}/#setup=${setupCode} (set-up code ${setupCode})`
  const paper =
    paperDir === null
      ? `${printer.host}:${printer.port}, the real printer`
      : `below, and as files in ${paperDir} (virtual printer ${printer.host}:${printer.port})`
  const dashboard = dashboardLink ?? `${cloudUrl.replace('127.0.0.1', 'localhost')}/dashboard`
  const signsIn = dashboardLink === null ? '' : ' (signs in as the owner, once)'
  return `
Ticketrail runs.

  Dashboard      ${dashboard}${signsIn}
  API            ${cloudUrl}
  API docs       ${cloudUrl}/docs
  Sandbox key    ${account.apiKey}
  Gateway page   ${gatewayUrl}
  Its first user ${firstUser}
  Paper          ${paper}
  Data and logs  ${dataDir}

Send an order to the kitchen (paste it into another terminal):

${orderCommand(cloudUrl, account)}

Or from the command line, which finds this relay and its key; \`listen\` sends its webhooks to your program:

  ${ticketrail} inject
  ${ticketrail} listen --forward-to localhost:3000/webhooks

Ctrl-C stops everything; the next start goes on with the same data.
`
}

/** For a shell. */
function quoted(path: string): string {
  return `'${path.replaceAll("'", "'\\''")}'`
}

/** A curl command with a new orderId at each run. The total is the exact sum of the items. */
export function orderCommand(cloudUrl: string, { apiKey, merchantId, umsIds }: DemoAccount): string {
  const items = umsIds.slice(0, 2).map((umsId, index) => ({
    umsId,
    qty: 2 - index,
    price: (BISTRO_MENU.find((item) => item.umsId === umsId)?.priceCents ?? 950) / 100,
    ...(index === 0 ? { note: 'cut in half' } : {}),
  }))
  const totalCents = items.reduce((sum, { qty, price }) => sum + Math.round(price * 100) * qty, 0)
  const order = JSON.stringify({
    merchantId,
    orderId: 'ORDER_ID',
    source: 'terminal',
    items,
    total: totalCents / 100,
    customer: { name: 'Ana' },
  })
  // The shell ends the single quotes, puts in date and a random number, and goes on.
  const body = order.replace('ORDER_ID', `demo-'"$(date +%s)-$RANDOM"'`)
  return `curl -sS ${cloudUrl}/v1/order/inject \\
  -H 'Authorization: Bearer ${apiKey}' \\
  -H 'Content-Type: application/json' \\
  -d '${body}'`
}

// doctor: checks each step from this machine to your webhook endpoint, and shows what to do about the one that fails.
import { lookup } from 'node:dns/promises'
import { EXIT, LineError } from '#shared/cli/command.ts'
import { fromIso } from '#shared/clock.ts'
import { codeOf } from '#shared/code-of.ts'
import type { WebhookEndpoint } from '#shared/sdk/api.ts'
import { AuthError, TicketrailError } from '#shared/sdk/error.ts'
import { aligned, plain } from '#shared/terminal-text.ts'
import type { Command, Line } from './command.ts'
import { placeOf, whyNotDelivered } from './delivery-words.ts'
import { isTlsFault } from './post-to-target.ts'

/** `skipped`: the key lacks the scope for the check. */
interface Check {
  name: 'address' | 'name' | 'relay' | 'TLS' | 'clock' | 'key' | 'merchant' | 'webhook'
  state: 'ok' | 'wrong' | 'skipped'
  text: string
}

/** Signatures are refused if the clocks differ by more than five minutes. */
const MOST_SKEW_MS = 60_000
const ANSWER_WITHIN_MS = 10_000
const LAST_DELIVERIES = 20

export const doctorCommand: Command = {
  name: 'doctor',
  usage: '',
  summary: 'Checks address, TLS, clock, key, merchants and webhooks, and says what to do; exit code 1 if a check fails',
  options: {},
  examples: ['', '--json'],
  run: async (line) => {
    const checks: Check[] = []
    for await (const check of checksOf(line)) checks.push(check)
    const rows = checks.map(({ name, state, text }) => [state, name, plain(text)])
    const exitCode = checks.some(({ state }) => state === 'wrong') ? EXIT.failed : EXIT.ok
    return { data: { checks }, text: aligned(rows), exitCode }
  },
}

const ok = (name: Check['name'], text: string): Check => ({ name, state: 'ok', text })
const wrong = (name: Check['name'], text: string): Check => ({ name, state: 'wrong', text })

/** In order of dependency. Ends if the remaining checks can only fail too. */
async function* checksOf(line: Line): AsyncGenerator<Check> {
  let url: URL
  try {
    const settings = line.settings()
    url = new URL(settings.url)
    yield ok('address', `${settings.url}, key from ${settings.keyFrom}`)
  } catch (error) {
    if (!(error instanceof LineError)) throw error
    yield wrong('address', error.message)
    return
  }
  const found = await nameCheck(url)
  yield found
  if (found.state === 'wrong') return
  const reached = await relayChecks(line, url)
  yield* reached
  if (reached.some(({ name, state }) => name === 'relay' && state === 'wrong')) return
  const key = await keyCheck(line)
  yield key
  if (key.state === 'wrong') return
  yield* await allowed('merchant', () => merchantChecks(line))
  yield* await allowed('webhook', () => webhookChecks(line))
}

async function nameCheck({ hostname }: URL): Promise<Check> {
  const host = hostname.replaceAll(/^\[|\]$/g, '')
  try {
    const { address } = await lookup(host)
    return ok('name', `${host} is ${address}`)
  } catch (error) {
    return wrong('name', `${host} was not found (${codeOf(error)}): check the address, and the DNS of this machine.`)
  }
}

async function relayChecks({ fetch, clock }: Line, url: URL): Promise<Check[]> {
  const late = new AbortController()
  const cancel = clock.after(ANSWER_WITHIN_MS, () => late.abort())
  const base = url.href.replace(/\/+$/, '')
  const before = clock.now()
  try {
    const answer = await fetch(`${base}/healthz`, { redirect: 'manual', signal: late.signal })
    await answer.arrayBuffer()
    const after = clock.now()
    if (answer.status !== 200)
      return [
        wrong(
          'relay',
          `${base}/healthz answered ${answer.status}: this is not a relay, or a proxy answered in its place.`,
        ),
      ]
    return [
      ok('relay', `answered in ${after - before} ms`),
      tlsCheck(url),
      clockCheck(answer.headers.get('date'), before, after),
    ]
  } catch (error) {
    if (late.signal.aborted)
      return [
        wrong('relay', `no answer within ${ANSWER_WITHIN_MS / 1_000} s: check whether a firewall blocks this machine.`),
      ]
    if (isTlsFault(error))
      return [
        wrong(
          'relay',
          `its certificate is not trusted (${reasonOf(error)}): set NODE_EXTRA_CA_CERTS to the file of your certificate authority.`,
        ),
      ]
    return [wrong('relay', `cannot be reached (${reasonOf(error)}): check that it runs, and that the port is right.`)]
  } finally {
    cancel()
  }
}

function reasonOf(error: unknown): string {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (codeOf(at) !== '') return codeOf(at)
    if (at.cause === undefined) return at.message
  }
  return 'unknown'
}

function tlsCheck({ protocol, hostname }: URL): Check {
  if (protocol === 'https:') return ok('TLS', 'the certificate is trusted')
  const isHere = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
  return isHere
    ? ok('TLS', 'not needed: the relay is on this machine')
    : wrong('TLS', 'the address begins with http: everybody on the network path can read your key. Use https.')
}

/** The header has whole seconds, and was written between the two times. */
function clockCheck(date: string | null, before: number, after: number): Check {
  // biome-ignore lint/style/noRestrictedGlobals: parses an HTTP date, not the current time
  const at = Date.parse(date ?? '')
  if (Number.isNaN(at)) return { name: 'clock', state: 'skipped', text: 'the answer had no Date' }
  const apart = before > at + 1_000 ? before - (at + 1_000) : Math.min(0, after - at)
  const seconds = Math.round(Math.abs(apart) / 1_000)
  if (Math.abs(apart) <= MOST_SKEW_MS)
    return ok('clock', seconds === 0 ? 'the same as that of the relay' : `${seconds} s apart`)
  const way = apart > 0 ? 'ahead of' : 'behind'
  return wrong('clock', `${seconds} s ${way} the relay's: signatures of webhooks will be refused. Set the clock (NTP).`)
}

async function keyCheck(line: Line): Promise<Check> {
  try {
    const { account, environment, scopes, expiresAt } = await line.client().keys.get({}, { signal: line.stopped })
    const end = expiresAt === null ? 'never ends' : `ends on ${expiresAt.slice(0, 'yyyy-mm-dd'.length)}`
    return ok('key', `${account.name}, ${environment}, ${end}; ${scopes.join(' ')}`)
  } catch (error) {
    if (!(error instanceof TicketrailError)) throw error
    const help = error.status === 401 ? ' `ticketrail login` gets a new one.' : ''
    return wrong('key', `${error.message}${help}`)
  }
}

/** A missing scope is not a failure of the check. */
async function allowed(name: Check['name'], look: () => Promise<Check[]>): Promise<Check[]> {
  try {
    return await look()
  } catch (error) {
    if (!(error instanceof TicketrailError || error instanceof LineError)) throw error
    if (error instanceof AuthError) return [{ name, state: 'skipped', text: error.message }]
    return [wrong(name, error.message)]
  }
}

/** Only the default merchant must be able to print: the sandbox has one that never is. */
async function merchantChecks(line: Line): Promise<Check[]> {
  const usual = await line.merchantId()
  const checks: Check[] = []
  for await (const { merchantId, name, locations } of line.client().merchants.list()) {
    const away = locations.filter(({ gatewayOnline }) => !gatewayOnline).map((location) => location.name)
    const offline = away.length === 0 ? '' : `: no gateway is connected at ${away.join(', ')}`
    const who = `${merchantId} ${name}${offline}`
    checks.push(
      merchantId === usual && offline !== ''
        ? wrong('merchant', `${who}. Its orders are stored, and print when one is connected.`)
        : ok('merchant', who),
    )
  }
  return checks
}

async function webhookChecks(line: Line): Promise<Check[]> {
  const of = { merchantId: await line.merchantId() }
  const checks: Check[] = []
  for await (const endpoint of line.client().webhooks.list(of)) checks.push(await webhookCheck(line, of, endpoint))
  return checks.length > 0 ? checks : [ok('webhook', `${of.merchantId} has no endpoint yet`)]
}

async function webhookCheck(line: Line, of: { merchantId: string }, endpoint: WebhookEndpoint): Promise<Check> {
  const { webhookId, url, status, disabledReason, failingSince, kind } = endpoint
  const who = `${webhookId} ${placeOf(endpoint)}`
  const orDelete = `If you no longer need it: ticketrail webhooks delete ${webhookId}`
  if (status === 'disabled')
    return wrong(
      'webhook',
      `${who}: disabled (${disabledReason}). Enable it: ticketrail open ${webhookId}. ${orDelete}`,
    )
  if (kind !== 'url') return ok('webhook', who)
  const { data } = await line
    .client()
    .deliveries.list(webhookId, { ...of, limit: LAST_DELIVERIES })
    .page()
  const tried = data.filter(({ attempts }) => attempts > 0)
  const lost = tried.filter(({ state }) => state === 'failed' || state === 'retrying')
  const [last] = lost
  if (last === undefined) return ok('webhook', `${who}: the last ${tried.length} deliveries arrived`)
  const why = whyNotDelivered(url, last.lastError ?? 'http_status', last.lastStatus)
  const since = fromIso(failingSince ?? '') === null ? '' : ` since ${failingSince}`
  const again = `When your program works, send them again: ticketrail webhooks recover ${webhookId} --since 2h`
  return wrong(
    'webhook',
    `${who}: ${lost.length} of the last ${tried.length} deliveries failed${since}, the newest because ${why}. ${again}. ${orDelete}`,
  )
}

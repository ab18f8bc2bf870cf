// login, logout, whoami: manage the API key of this machine.
import { arch, hostname, platform } from 'node:os'
import * as z from 'zod/mini'
import { LineError, list, text } from '#shared/cli/command.ts'
import { facts } from '#shared/cli/terminal.ts'
import { parseJson } from '#shared/parse-json.ts'
import { smallAnswer } from '#shared/small-answer.ts'
import { plain } from '#shared/terminal-text.ts'
import { VERSION } from '#shared/version.ts'
import {
  DEVICE_CODE_PATH,
  DEVICE_TOKEN_PATH,
  type DeviceCodeAnswer,
  type DeviceTokenAnswer,
  deviceCodeAnswer,
  deviceTokenAnswer,
  deviceTokenRefusal,
} from '#shared/wire/device-sign-in.ts'
import { type Command, EXIT, type Line } from './command.ts'
import { isThisMachine } from './listener.ts'
import { openBrowser } from './open-command.ts'
import { addressOf, readStored, removeStored, settingsFile, writeStored } from './settings.ts'

/** RFC 8628: the interval grows by this after `slow_down`. */
const SLOWER_SECONDS = 5
/** Longest interval between polls while the relay is unreachable. */
const MOST_SECONDS = 60
const ANSWER_WITHIN_MS = 15_000
const LONGEST_HOST = 48

export const accountCommands: readonly Command[] = [
  {
    name: 'login',
    usage: '',
    summary: 'Gets a key for this machine, which you approve in the dashboard',
    options: {
      url: {
        value: '<address>',
        text: 'The address of the relay; by default TICKETRAIL_URL, or where you signed in last',
      },
      live: { text: 'Gets a live key instead of a sandbox key; needs --scopes' },
      scopes: {
        value: '<a,b>',
        text: 'What the key may do, such as orders:read,menu:read; in the sandbox everything by default',
      },
    },
    examples: ['--url https://relay.example', '--live --scopes menu:read'],
    problems: ({ options }) =>
      options['live'] === true && options['scopes'] === undefined ? ['--live needs --scopes'] : [],
    run: login,
  },
  {
    name: 'logout',
    usage: '',
    summary: 'Revokes the key of this machine and deletes it here',
    options: {},
    examples: [''],
    run: logout,
  },
  {
    name: 'whoami',
    usage: '',
    summary: 'Shows account, environment, scopes, merchants and expiry of the key',
    options: {},
    examples: ['', '--json'],
    run: whoami,
  },
]

async function login(line: Line) {
  const file = settingsFile(line.env)
  const before = readStored(file)
  const url = addressOf(text(line, 'url') ?? line.env['TICKETRAIL_URL'] ?? before?.url ?? missingAddress())
  const scopes = text(line, 'scopes')
  const codes = await begin(line, url, {
    ...{ host: hostOf(hostname()), app: `ticketrail/${VERSION} (${platform()} ${arch()})` },
    environment: line.options['live'] === true ? 'live' : 'sandbox',
    ...(scopes !== undefined && { scopes: list(scopes) }),
  })
  const { userCode } = codes
  const verificationUri = pageOf(url, codes.verificationUri)
  const verificationUriComplete = pageOf(url, codes.verificationUriComplete, `#${userCode}`)
  line.print(
    { userCode, verificationUri, verificationUriComplete },
    `Open ${plain(verificationUriComplete)}\nand compare the code:  ${plain(userCode)}\n\nWaiting for your approval ...`,
  )
  await openBrowser(line, verificationUriComplete)
  const key = await waitForKey(line, url, codes)
  const isSame = before?.url === url
  writeStored(file, { url, apiKey: key.apiKey, ...(isSame && before?.merchantId && { merchantId: before.merchantId }) })
  // The old key would stay valid without being used. The key of another relay cannot be revoked here.
  if (before !== null && isSame) await revoke(line, before).catch(() => undefined)
  else if (before !== null)
    line.progress(`Your key of ${before.url} was on this machine and stays valid: revoke it at the dashboard there.`)
  const { apiKey: _, ...data } = key
  return { data: { ...data, file }, text: signedIn(line, key, file) }
}

function signedIn({ env }: Line, { account, environment, expiresAt }: DeviceTokenAnswer, file: string): string {
  const wins = env['TICKETRAIL_API_KEY'] ? '\nTICKETRAIL_API_KEY is set and is used instead of this key.' : ''
  const end = expiresAt.slice(0, 'yyyy-mm-dd'.length)
  return `Signed in to ${plain(account.name)} (${environment}). The key is in ${file} and ends on ${end}.${wins}`
}

/** As the relay takes it. */
function hostOf(name: string): string {
  return name.replaceAll(/[^\p{L}\p{M}\p{N}._ -]+/gu, '-').slice(0, LONGEST_HOST) || 'unknown'
}

/** The page where the code is approved: the relay's own word for it where that leads to the relay, else the usual one. */
function pageOf(url: string, said: string, hash = ''): string {
  const [page, relay] = [URL.parse(said), new URL(url)]
  const isHere = page !== null && isThisMachine(page.hostname) && isThisMachine(relay.hostname)
  const isRelay = page !== null && (page.origin === relay.origin || (isHere && page.port === relay.port))
  return isRelay && /^https?:$/.test(page.protocol) ? page.href : `${url}/dashboard/device${hash}`
}

function missingAddress(): never {
  throw new LineError(
    'Name the relay: `ticketrail login --url https://relay.example`, or set TICKETRAIL_URL.',
    EXIT.usage,
  )
}

async function begin(line: Line, url: string, asked: object): Promise<DeviceCodeAnswer> {
  const { status, body } = await post(line, `${url}${DEVICE_CODE_PATH}`, { body: asked })
  const codes = deviceCodeAnswer.safeParse(body)
  if (status === 200 && codes.success) return codes.data
  if (status === 404)
    throw new LineError(`${url} has no sign-in for command lines: is it a relay with a dashboard?`, EXIT.refused)
  throw new LineError(messageOf(body, status), EXIT.refused)
}

/**
 * Polls until a person has answered or the code has expired; less often while the relay is unreachable. @throws LineError denied, expired,
 * stopped
 */
async function waitForKey(
  line: Line,
  url: string,
  { deviceCode, interval, expiresIn }: DeviceCodeAnswer,
): Promise<DeviceTokenAnswer> {
  const endMs = line.clock.monotonicMs() + expiresIn * 1_000
  for (let seconds = interval; ; ) {
    await line.clock.sleep(seconds * 1_000, line.stopped)
    line.stopped.throwIfAborted()
    const answered = await post(line, `${url}${DEVICE_TOKEN_PATH}`, { body: { deviceCode } }).catch(
      (error: unknown) => {
        if (error instanceof LineError && error.exitCode === EXIT.unreachable && line.clock.monotonicMs() < endMs)
          return null
        throw error
      },
    )
    if (answered === null) {
      seconds = Math.min(2 * seconds, MOST_SECONDS)
      continue
    }
    const { status, body } = answered
    const key = deviceTokenAnswer.safeParse(body)
    if (status === 200 && key.success) return key.data
    const refusal = deviceTokenRefusal.safeParse(body)
    // A relay that is overloaded or restarts is not an answer of the person.
    if (!refusal.success && (status >= 500 || status === 429)) continue
    if (!refusal.success) throw new LineError(messageOf(body, status), EXIT.refused)
    if (refusal.data.error === 'slow_down') seconds += SLOWER_SECONDS
    else if (refusal.data.error !== 'authorization_pending')
      throw new LineError(refusal.data.error_description, EXIT.refused)
  }
}

async function logout(line: Line) {
  const file = settingsFile(line.env)
  const stored = readStored(file)
  if (stored === null) return { data: { file, revoked: false }, text: 'Nobody is signed in on this machine.' }
  const status = await revoke(line, stored)
  // 401: the key is already invalid.
  if (status >= 400 && status !== 401)
    throw new LineError(
      `${stored.url} did not revoke the key (${status}). It is kept: try again, or revoke it at the dashboard.`,
    )
  removeStored(file)
  return { data: { file, revoked: true }, text: 'Signed out: the key is revoked and forgotten.' }
}

/** @returns the HTTP status. @throws LineError if the relay is unreachable */
async function revoke(line: Line, { url, apiKey }: { url: string; apiKey: string }): Promise<number> {
  return (await post(line, `${url}/v1/keys/revoke`, { body: {}, apiKey })).status
}

async function whoami(line: Line) {
  const client = line.client()
  const key = await client.keys.get()
  const merchants: string[] = []
  for await (const { merchantId } of client.merchants.list()) merchants.push(merchantId)
  const { url, keyFrom } = line.settings()
  return {
    data: { url, ...key, merchants },
    text: facts([
      ['relay', url],
      ['account', `${key.account.name} (${key.account.accountId})`],
      ['environment', key.environment],
      ['scopes', key.scopes],
      ['merchants', merchants],
      ['key', key.name ?? key.keyId],
      ['expires', key.expiresAt ?? 'never'],
      ['from', keyFrom],
    ]),
  }
}

const refusalBody = z.object({
  message: z.string(),
  errors: z.optional(z.array(z.object({ field: z.string(), message: z.string() }))),
})

interface Answered {
  status: number
  body: unknown
}

/** @throws LineError if the relay is unreachable */
async function post(
  { fetch, stopped }: Line,
  url: string,
  { body, apiKey }: { body: object; apiKey?: string },
): Promise<Answered> {
  let answer: Response
  try {
    answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(apiKey && { authorization: `Bearer ${apiKey}` }) },
      body: JSON.stringify(body),
      // The key must not be sent to another address.
      redirect: 'error',
      signal: AbortSignal.any([stopped, AbortSignal.timeout(ANSWER_WITHIN_MS)]),
    })
  } catch (error) {
    if (stopped.aborted) throw error
    throw new LineError(`${new URL(url).origin} cannot be reached.`, EXIT.unreachable, { cause: error })
  }
  const bytes = await smallAnswer(answer).catch(() => null)
  return { status: answer.status, body: bytes === null ? undefined : parseJson(new TextDecoder().decode(bytes)) }
}

function messageOf(body: unknown, status: number): string {
  const refusal = refusalBody.safeParse(body)
  if (!refusal.success) return `The relay answered ${status}.`
  const { message, errors = [] } = refusal.data
  return [message, ...errors.map((error) => `${error.field}: ${error.message}`)].join('\n')
}

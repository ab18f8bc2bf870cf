// Where the address and the key come from: the environment, else a file in the user's config folder that nobody else may read.
import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { homedir, platform, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { EXIT, LineError } from '#shared/cli/command.ts'
import { codeOf } from '#shared/code-of.ts'
import { parseJson } from '#shared/parse-json.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** What `ticketrail login` stores. */
export interface StoredSettings {
  /** URL of the relay, such as `https://relay.example`. */
  url: string
  apiKey: string
  /** Used if no option and no variable names another one. */
  merchantId?: string
}

export interface Settings {
  url: string
  apiKey: string
  /** Null: the first merchant of the key. */
  merchantId: string | null
  /** For messages: a variable, or the path of the file. */
  keyFrom: string
}

const OTHERS_MAY = 0o077
const OTHERS_MAY_WRITE = 0o022

/** `$XDG_CONFIG_HOME/ticketrail/settings.json`, or in `~/.config` without that variable. */
export function settingsFile(env: Environment): string {
  return join(folderOf(env['XDG_CONFIG_HOME'], '.config', env), 'settings.json')
}

/** Folder of `listen`'s journals: `$XDG_STATE_HOME/ticketrail`, or in `~/.local/state` without that variable. */
export function stateFolder(env: Environment): string {
  return folderOf(env['XDG_STATE_HOME'], '.local/state', env)
}

/** The XDG specification ignores relative paths. */
function folderOf(named: string | undefined, usual: string, { HOME = homedir() }: Environment): string {
  return join(named?.startsWith('/') ? named : join(HOME, usual), 'ticketrail')
}

/** @throws LineError that names the missing setting, or the problem of the file */
export function readSettings(env: Environment): Settings {
  const file = settingsFile(env)
  const { TICKETRAIL_API_KEY: key, TICKETRAIL_URL: url, TICKETRAIL_MERCHANT: merchant } = env
  const stored = key && url ? null : readStored(file)
  if (!key && stored === null)
    throw new LineError(
      'No key: sign in with `ticketrail login`, or set TICKETRAIL_API_KEY and TICKETRAIL_URL.',
      EXIT.usage,
    )
  if (!url && stored === null)
    throw new LineError("No address: set TICKETRAIL_URL to the relay's, such as https://relay.example.", EXIT.usage)
  // Nobody said that this key is for the relay of the file.
  if (key && !url && stored !== null)
    throw new LineError(
      `TICKETRAIL_API_KEY is set, and TICKETRAIL_URL is not. For the relay of ${file}: TICKETRAIL_URL=${stored.url}`,
      EXIT.usage,
    )
  // A stored key is sent only to the relay that gave it.
  if (!key && url && stored && addressOf(url) !== addressOf(stored.url))
    throw new LineError(
      `The key in ${file} is for ${stored.url}, not for ${url}: set TICKETRAIL_API_KEY, or sign in there with \`ticketrail login\`.`,
      EXIT.usage,
    )
  return {
    url: addressOf(url || (stored?.url ?? '')),
    apiKey: keyOf(key || (stored?.apiKey ?? '')),
    merchantId: merchant || (stored?.merchantId ?? null),
    keyFrom: key ? 'TICKETRAIL_API_KEY' : file,
  }
}

/** Null if there is no file. @throws LineError if others may read it, or it is damaged */
export function readStored(file: string): StoredSettings | null {
  let text: string
  let opened: number | null = null
  try {
    // Without waiting: a named pipe would hang for ever.
    opened = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
    refuseStrange(file, opened)
    text = readFileSync(opened, 'utf8')
  } catch (error) {
    if (error instanceof LineError) throw error
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null
    if (codeOf(error) === 'ELOOP') throw new LineError(`${file} is a link. It holds a key: put the file itself there.`)
    throw new LineError(`${file} cannot be read (${codeOf(error) || 'unknown'}).`)
  } finally {
    if (opened !== null) closeSync(opened)
  }
  const { url, apiKey, merchantId } = fieldsOf(text)
  if (typeof url !== 'string' || typeof apiKey !== 'string')
    throw new LineError(`${file} is damaged: delete it and sign in again with \`ticketrail login\`.`)
  return { url, apiKey, ...(typeof merchantId === 'string' && { merchantId }) }
}

/** @throws LineError when it is no file of this user's alone, or others may put another one in its place */
function refuseStrange(file: string, opened: number): void {
  const found = fstatSync(opened)
  if (!found.isFile()) throw new LineError(`${file} is not a file: delete it, and sign in with \`ticketrail login\`.`)
  if (platform() === 'win32') return
  if ((found.mode & OTHERS_MAY) !== 0)
    throw new LineError(`Others may read ${file}, which holds a key: chmod 600 ${file}, and change the key.`)
  const folder = dirname(file)
  const { mode, uid } = statSync(folder)
  const { uid: mine } = userInfo()
  if (found.uid !== mine || (uid !== mine && uid !== 0))
    throw new LineError(`${file} or its folder belongs to another user: it is not used.`)
  if ((mode & OTHERS_MAY_WRITE) !== 0)
    throw new LineError(`Others may replace ${file}, which holds a key: chmod 700 ${folder}`)
}

/** For this user alone; a reader sees the old file or the new one, never a part. */
export function writeStored(file: string, { url, apiKey, merchantId }: StoredSettings): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const next = `${file}.${crypto.randomUUID()}`
  writeFileSync(next, `${JSON.stringify({ url, apiKey, merchantId }, null, 2)}\n`, { mode: 0o600 })
  chmodSync(next, 0o600)
  renameSync(next, file)
}

/** @returns whether it existed */
export function removeStored(file: string): boolean {
  try {
    rmSync(file)
    return true
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    throw error
  }
}

/** Scheme, host and path without a trailing slash. @throws LineError */
export function addressOf(typed: string): string {
  const url = URL.canParse(typed) ? new URL(typed) : null
  if (
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    url.username !== '' ||
    url.password !== '' ||
    url.search !== ''
  )
    throw new LineError(`"${typed}" is not the address of a relay, such as https://relay.example`, EXIT.usage)
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
}

/** Never prints the key. @throws LineError */
function keyOf(key: string): string {
  if (/^sk_(sandbox|live)_[\x21-\x7e]+$/.test(key)) return key
  throw new LineError('TICKETRAIL_API_KEY is not a key: keys begin with sk_sandbox_ or sk_live_.', EXIT.usage)
}

function fieldsOf(text: string): Partial<Record<keyof StoredSettings, unknown>> {
  const read = parseJson(text)
  return typeof read === 'object' && read !== null ? read : {}
}

// Credentials for a broker that keeps its own list. The embedded broker needs none of this: it asks the database at each connection.
// For Mosquitto: a password file of `$7$` lines (PBKDF2-SHA512) and an ACL file of `pattern` rules; SIGHUP makes it read them again.
import { pbkdf2, randomBytes } from 'node:crypto'
import { open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { promisify } from 'node:util'

export interface BrokerCredential {
  gatewayId: string
  token: string
}

export interface BrokerAuth {
  /** Lets this gateway connect from now on. Resolves when the broker's list is written. */
  admit(credential: BrokerCredential): Promise<void>
  /** Removes their entries. Open connections stay: Mosquitto must be told to close them, or restarted. */
  revoke(...gatewayIds: string[]): Promise<void>
}

export interface MosquittoFilesOptions {
  passwordFile: string
  aclFile: string
  /** The relay's own user: the only one that may use wildcards. */
  relay: { username: string; password: string }
  /** Makes Mosquitto read the files again (SIGHUP); connections stay. */
  reload: () => void | Promise<void>
  /** Asked directly before a file takes the place of the one before it: false when another relay writes them now. Always true unless given. */
  mayWrite?: () => boolean
}

const derive = promisify(pbkdf2)
/** Rounds of PBKDF2. A token has 256 random bits, so Mosquitto's default is plenty. */
const ITERATIONS = 101
const SALT_BYTES = 12
const KEY_BYTES = 64

export class MosquittoFiles implements BrokerAuth {
  readonly #options: MosquittoFilesOptions
  /** One write at a time. */
  #last: Promise<void> = Promise.resolve()

  constructor(options: MosquittoFilesOptions) {
    this.#options = options
  }

  /** Writes the ACL file, and the password file with the relay's line, keeping the gateways that are in it. */
  async prepare(): Promise<void> {
    const { aclFile, passwordFile, relay } = this.#options
    for (const file of [aclFile, passwordFile]) await removeHalves(file)
    await this.#replace(aclFile, aclText(relay.username))
    await this.admit({ gatewayId: relay.username, token: relay.password })
  }

  async admit(credential: BrokerCredential): Promise<void> {
    await this.#edit(async (lines) => [...withoutUsers(lines, [credential.gatewayId]), await this.lineFor(credential)])
  }

  /** The gateway's line in the password list. */
  lineFor({ gatewayId, token }: BrokerCredential): Promise<string> {
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(gatewayId)) throw new Error('this name cannot stand in a password file')
    return passwordLine(gatewayId, token)
  }

  /** In one write. */
  async admitLines(admitted: readonly { gatewayId: string; line: string }[]): Promise<void> {
    const [ids, added] = [admitted.map(({ gatewayId }) => gatewayId), admitted.map(({ line }) => line)]
    if (admitted.length > 0) await this.#edit((lines) => [...withoutUsers(lines, ids), ...added])
  }

  async revoke(...gatewayIds: string[]): Promise<void> {
    if (gatewayIds.length > 0) await this.#edit((lines) => withoutUsers(lines, gatewayIds))
  }

  /** Resolves when nothing is being written any more. */
  async settled(): Promise<void> {
    await this.#last.catch(() => undefined)
  }

  #replace(path: string, text: string): Promise<void> {
    return replaceFile(path, text, this.#options.mayWrite ?? (() => true))
  }

  #edit(change: (lines: string[]) => string[] | Promise<string[]>): Promise<void> {
    const { passwordFile, reload } = this.#options
    const write = async (): Promise<void> => {
      const text = await readFile(passwordFile, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return ''
        throw error
      })
      const lines = text.split('\n').filter(Boolean)
      const changed = await change(lines)
      if (changed.join('\n') === lines.join('\n')) return
      await this.#replace(passwordFile, `${changed.join('\n')}\n`)
      await reload()
    }
    this.#last = this.#last.catch(() => undefined).then(write)
    return this.#last
  }
}

/** One line of a Mosquitto password file: `user:$7$rounds$salt$hash`. */
async function passwordLine(user: string, password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const key = await derive(password, salt, ITERATIONS, KEY_BYTES, 'sha512')
  return `${user}:$7$${ITERATIONS}$${salt.toString('base64')}$${key.toString('base64')}`
}

/** What `topicsFor` hands out, as rules: %u is the user name, which is the gateway's id. */
export function aclText(relayUser: string): string {
  return `# Written by the relay. Each gateway: its own way up and down, and its shard's broadcast.
user ${relayUser}
topic read tr/v1/+/g/+/up
topic write tr/v1/+/g/+/down
topic write tr/v1/+/all

pattern write tr/v1/+/g/%u/up
pattern read tr/v1/+/g/%u/down
pattern read tr/v1/+/all
`
}

function withoutUsers(lines: readonly string[], users: readonly string[]): string[] {
  const gone = new Set(users)
  return lines.filter((line) => !gone.has(line.split(':', 1)[0] ?? ''))
}

/**
 * Atomic, because Mosquitto may read at any moment, as another user of the folder's group. Synced to disk before it replaces the old file,
 * because the passwords could not be written again after a power cut: the relay does not store them.
 */
async function replaceFile(path: string, text: string, mayWrite: () => boolean): Promise<void> {
  // The name is unique to this write: another relay that believes itself the writer uses its own.
  const next = `${path}.${randomBytes(4).toString('hex')}.new`
  const file = await open(next, 'wx', 0o640)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  if (!mayWrite()) {
    await rm(next)
    throw new Error('another relay writes the list of passwords now')
  }
  await rename(next, path)
  const folder = await open(folderOf(path), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** What a power cut has left. */
async function removeHalves(path: string): Promise<void> {
  const folder = folderOf(path)
  const start = `${path.slice(path.lastIndexOf('/') + 1)}.`
  for (const name of await readdir(folder))
    if (name.startsWith(start) && name.endsWith('.new')) await rm(`${folder}${name}`, { force: true })
}

/** With a slash at its end. */
const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1) || './'

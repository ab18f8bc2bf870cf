// `admin` of the relay's program: has the running relay run one command of the operator; without one it opens the database itself.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { EXIT, LineError } from '#shared/cli/command.ts'
import { type Clock, systemClock } from '#shared/clock.ts'
import { answers } from '#shared/local/local-socket.ts'
import { readSettings } from '#shared/settings.ts'
import { type AskedLine, askRelay, EXIT_LATER, SilentRelay } from './admin/ask-relay.ts'
import type { AdminDeps, FileContext } from './admin/context.ts'
import { type AdminLine, needsDatabase, runAdmin } from './admin/run-admin.ts'
import { askedDatabase, serverSocketsBeside, socketOfFile, socketsToAsk } from './admin-place.ts'
import { whyNotStarted } from './cannot-start.ts'
import { cloudConfig } from './config.ts'
import { withMasterKey } from './master-key.ts'
import { siteOf } from './people/site.ts'
import type { RelayDatabase } from './storage/database.ts'
import { PostgresDatabase } from './storage/postgres/postgres-database.ts'
import { DatabaseHeld, holdDatabase } from './storage/sqlite/relay-lock.ts'
import { SqliteDatabase } from './storage/sqlite/sqlite-database.ts'
import { openStores } from './storage/stores.ts'
import { compareMasterKey } from './webhooks/check-master-key.ts'
import { SecretBox } from './webhooks/secret-box.ts'
import { TargetGuard } from './webhooks/target-guard.ts'

/** A relay that starts holds its database before its socket answers. A large one may be migrated meanwhile. */
const RELAY_STARTS_WITHIN_MS = 15_000
const LOOK_AGAIN_MS = 100

/** The settings that a command needs: without the master key all work but those that seal a secret. */
const adminConfig = cloudConfig
  .pick({
    CLOUD_DATABASE: true,
    DATABASE_URL: true,
    CLOUD_ADMIN_SOCKET: true,
    CLOUD_MASTER_KEY: true,
    CLOUD_START_WITHOUT_SECRETS: true,
    CLOUD_WEBHOOK_ALLOW_CIDRS: true,
    CLOUD_BROKER_URL: true,
    CLOUD_MAIL_URL: true,
    CLOUD_EXPORT_DIR: true,
    CLOUD_PUBLIC_URL: true,
    CLOUD_HTTP_PORT: true,
  })
  .partial({ CLOUD_MASTER_KEY: true })
type AdminConfig = ReturnType<typeof readSettings<typeof adminConfig>>

type Line = Omit<AskedLine, 'socketPath'> & Pick<AdminLine, 'files'> & { clock: Clock }

interface Streams {
  env: Readonly<Record<string, string | undefined>>
  stdout: { write(text: string): unknown }
  stderr: { write(text: string): unknown }
  /** The operator's working directory. */
  cwd(): string
  /** The operator's user id. */
  getuid?(): number
  clock?: Clock
}

/** @returns the exit code */
export async function adminMain(
  args: readonly string[],
  { env, stdout, stderr, cwd, getuid, clock = systemClock }: Streams,
): Promise<number> {
  const write = (text: string) => void stdout.write(`${text}\n`)
  const writeError = (text: string) => void stderr.write(`${text}\n`)
  const settings = () => readSettings(adminConfig, withMasterKey(env))
  const files = (): FileContext => {
    const config = settings()
    const pathOf = (path: string) => resolve(cwd(), path)
    return {
      database: config.CLOUD_DATABASE,
      url: config.DATABASE_URL ?? null,
      socket: config.CLOUD_ADMIN_SOCKET ?? socketOfFile(config.CLOUD_DATABASE),
      exportFolder: config.CLOUD_EXPORT_DIR ?? null,
      pathOf,
      clock,
      secretBox: boxOf(config.CLOUD_MASTER_KEY),
      tell: writeError,
    }
  }
  const line = { args, files, write, writeError }
  try {
    if (!needsDatabase(args)) return await runAdmin({ ...line, open: noDatabase })
    const config = settings()
    const readFile = (path: string) => readMenu(path)
    // With PostgreSQL there is no file whose owner is the relay's user: the folder's owner is used.
    const own = config.DATABASE_URL === undefined ? config.CLOUD_DATABASE : dirname(config.CLOUD_DATABASE)
    const caller = { callerUid: getuid?.() ?? 0, database: own }
    const asked = { ...line, readFile, caller, database: askedDatabase(config), clock }
    return await throughRelayOrAlone(asked, config)
  } catch (error) {
    const why = error instanceof LineError ? { code: error.exitCode, message: error.message } : whyNotStarted(error)
    if (why === null) throw error
    writeError(why.message)
    return why.code
  }
}

async function noDatabase(): Promise<never> {
  throw new Error('this command opens no database')
}

/** The process that holds the database does the work: the running relay, or this program. @throws LineError */
async function throughRelayOrAlone(line: Line, config: AdminConfig): Promise<number> {
  const { clock } = line
  // Of a SQLite file there is one.
  const [socketPath = ''] = socketsToAsk(config)
  const untilMs = clock.monotonicMs() + RELAY_STARTS_WITHIN_MS
  let isTold = false
  for (;;) {
    const code = await askAny(line, socketsToAsk(config))
    if (code !== null) return code
    try {
      return await alone(line, config)
    } catch (error) {
      if (!(error instanceof DatabaseHeld)) throw error
      if (clock.monotonicMs() > untilMs)
        throw new LineError(
          `The database ${config.CLOUD_DATABASE} is still in use, and no relay answers at ${socketPath}. Nothing was done: try again later. Either another command still runs, or a relay that starts, or one with another CLOUD_ADMIN_SOCKET; its log says more.`,
          EXIT_LATER,
          { cause: error },
        )
      if (!isTold) line.writeError(waitingFor(config.CLOUD_DATABASE, socketPath))
      isTold = true
      await clock.sleep(LOOK_AGAIN_MS)
    }
  }
}

/** Any relay of the database does. @returns null when none runs. @throws SilentRelay, when none of those that run answers */
async function askAny(line: Line, socketPaths: readonly string[]): Promise<number | null> {
  let silent: SilentRelay | null = null
  for (const socketPath of socketPaths) {
    try {
      const code = await askRelay({ ...line, socketPath })
      if (code !== null) return code
    } catch (error) {
      if (!(error instanceof SilentRelay)) throw error
      silent = error
    }
  }
  if (silent !== null) throw silent
  return null
}

function waitingFor(database: string, socketPath: string): string {
  const seconds = RELAY_STARTS_WITHIN_MS / 1_000
  return `The database ${database} is in use, and no relay answers at ${socketPath} yet: waiting up to ${seconds} s for it, or for the other command to end.`
}

/** No relay runs. @throws DatabaseHeld */
async function alone({ readFile, clock, ...line }: Line, config: AdminConfig): Promise<number> {
  const closing: (() => Promise<void> | void)[] = []
  const open = async (): Promise<AdminDeps> => {
    const db = await (config.DATABASE_URL === undefined ? openFile() : openServer(config.DATABASE_URL))
    closing.push(() => db.close())
    const secretBox = boxOf(config.CLOUD_MASTER_KEY)
    if (secretBox !== null && !config.CLOUD_START_WITHOUT_SECRETS)
      await compareMasterKey({ ...openStores(db), secretBox })
    return {
      db,
      clock,
      secretBox,
      guard: new TargetGuard({ allowCidrs: config.CLOUD_WEBHOOK_ALLOW_CIDRS, chosenBy: 'operator' }),
      brokerHasOwnList: config.CLOUD_BROKER_URL !== undefined,
      site: () => siteOf(config.CLOUD_PUBLIC_URL ?? `http://localhost:${config.CLOUD_HTTP_PORT}`),
      sendsMail: config.CLOUD_MAIL_URL !== undefined,
      readFile,
    }
  }
  const openFile = async (): Promise<RelayDatabase> => {
    const file = config.CLOUD_DATABASE
    if (!existsSync(file)) await mayMake(file, line.args)
    closing.push(await holdDatabase(file, { clock, withinMs: 0 }))
    return SqliteDatabase.open(file, (error) => {
      throw error
    })
  }
  try {
    return await runAdmin({ ...line, open })
  } finally {
    for (const close of closing.reverse()) await close()
  }
}

/** A typing error must not make a second, empty relay; a first account may be made before the relay's first start. @throws LineError */
async function mayMake(file: string, args: readonly string[]): Promise<void> {
  for (const socketPath of serverSocketsBeside(file))
    if (await answers(socketPath))
      throw new LineError(
        `A relay on PostgreSQL runs here (${socketPath}), and there is no database at ${file}: set DATABASE_URL for this command as that relay has it. Nothing was done.`,
      )
  if (`${args[0]} ${args[1]}` !== 'accounts create')
    throw new LineError(
      `There is no database at ${file}. Set CLOUD_DATABASE to the relay's own, or DATABASE_URL if it works on PostgreSQL; for a new relay begin with \`accounts create\`.`,
    )
}

/** Beside relays that use the same database: they find the change at their next check. */
const openServer = (url: string): Promise<RelayDatabase> =>
  PostgresDatabase.open({ url, slots: 1, readers: 1, replicaId: 'admin' })

function boxOf(masterKey: string | undefined): SecretBox | null {
  return masterKey === undefined ? null : new SecretBox(Buffer.from(masterKey, 'base64'))
}

async function readMenu(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new LineError(`${path} cannot be read: ${error instanceof Error ? error.message : 'unknown'}`, EXIT.failed, {
      cause: error,
    })
  }
}

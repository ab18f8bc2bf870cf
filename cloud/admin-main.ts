// `admin` of the relay's program: opens the database that the settings name and runs one command of the operator.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { systemClock } from '#shared/clock.ts'
import { ConfigError, readSettings } from '#shared/settings.ts'
import { AdminError } from './admin/command.ts'
import { runAdmin } from './admin/run-admin.ts'
import { cloudConfig } from './config.ts'
import { RelayDatabase } from './storage/database.ts'
import { SecretBox } from './webhooks/secret-box.ts'
import { TargetGuard } from './webhooks/target-guard.ts'

/** sysexits(3) EX_CONFIG. */
const EXIT_CONFIG = 78

/** The settings that a command needs: without the master key all work but those that seal a secret. */
const adminConfig = cloudConfig
  .pick({ CLOUD_DATABASE: true, CLOUD_MASTER_KEY: true, CLOUD_WEBHOOK_ALLOW_CIDRS: true, CLOUD_BROKER_URL: true })
  .partial({ CLOUD_MASTER_KEY: true })

interface Streams {
  env: Readonly<Record<string, string | undefined>>
  stdout: { write(text: string): unknown }
  stderr: { write(text: string): unknown }
}

/** @returns the exit code */
export async function adminMain(args: readonly string[], { env, stdout, stderr }: Streams): Promise<number> {
  let db: RelayDatabase | null = null
  const write = (text: string) => void stdout.write(`${text}\n`)
  const writeError = (text: string) => void stderr.write(`${text}\n`)
  const open = async () => {
    const config = readSettings(adminConfig, env)
    const file = config.CLOUD_DATABASE
    // A typing error in the name must not make a second, empty relay; a first account may be made before the relay's first start.
    if (!existsSync(file) && `${args[0]} ${args[1]}` !== 'accounts create')
      throw new AdminError(
        `There is no database at ${file}. Set CLOUD_DATABASE to the relay's own; for a new relay begin with \`accounts create\`.`,
      )
    db = await RelayDatabase.open(file, (error) => {
      throw error
    })
    const masterKey = config.CLOUD_MASTER_KEY
    const secretBox = masterKey === undefined ? null : new SecretBox(Buffer.from(masterKey, 'base64'))
    const guard = new TargetGuard({ allowCidrs: config.CLOUD_WEBHOOK_ALLOW_CIDRS })
    const brokerHasOwnList = config.CLOUD_BROKER_URL !== undefined
    return { db, clock: systemClock, secretBox, guard, brokerHasOwnList, readFile: (path: string) => readMenu(path) }
  }
  try {
    return await runAdmin({ args, open, write, writeError })
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    writeError(error.message)
    return EXIT_CONFIG
  } finally {
    await (db as RelayDatabase | null)?.close()
  }
}

async function readMenu(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new AdminError(`${path} cannot be read: ${error instanceof Error ? error.message : 'unknown'}`, {
      cause: error,
    })
  }
}

// The demo's account: made once in the relay's database, kept in a private file so that the next start goes on with the same key.
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { z } from 'zod'
import { provisionDemo } from '#cloud/sandbox/provision-demo.ts'
import { SqliteDatabase } from '#cloud/storage/sqlite/sqlite-database.ts'
import type { Clock } from '#shared/clock.ts'
import { linkTopics, type Pairing } from '#shared/wire/gateway-link.ts'
import type { DataPaths } from './data-folder.ts'
import { DemoError } from './demo-error.ts'
import { readIfThere, writePrivateFile } from './private-file.ts'

const demoAccount = z.object({
  /** Absent in the file of an older demo. */
  accountId: z.string().optional(),
  apiKey: z.string(),
  merchantId: z.string(),
  /** Absent in the file of an older demo. */
  timeZone: z.string().optional(),
  umsIds: z.array(z.string()).min(1),
  gatewayId: z.string(),
  token: z.string(),
  topics: linkTopics,
})
/** Of the sandbox's first merchant. */
const DEMO_TIME_ZONE = 'America/New_York'
export type DemoAccount = z.infer<typeof demoAccount>

/** The account of this data folder; the relay must not run while it is made. */
export async function openAccount(paths: DataPaths, clock: Clock): Promise<DemoAccount> {
  const known = readIfThere(paths.secrets)
  if (known !== null && existsSync(paths.cloudDatabase)) return parseAccount(known, paths)
  const database = await SqliteDatabase.open(paths.cloudDatabase, (error) => {
    throw error
  })
  try {
    const account = demoAccount.parse(await provisionDemo(database, clock))
    writePrivateFile(paths.secrets, `${JSON.stringify(account, null, 2)}\n`)
    return account
  } finally {
    await database.close()
  }
}

function parseAccount(text: string, paths: DataPaths): DemoAccount {
  try {
    return demoAccount.parse(JSON.parse(text))
  } catch (error) {
    throw new DemoError(`${paths.secrets} is damaged. Delete the folder ${paths.root} to begin anew.`, { cause: error })
  }
}

/** The key that encrypts webhook secrets: base64 of 32 bytes, made at the first start. */
export function openMasterKey(paths: DataPaths): string {
  const known = readIfThere(paths.masterKey)
  if (known !== null) return known.trim()
  const key = randomBytes(32).toString('base64')
  writePrivateFile(paths.masterKey, `${key}\n`)
  return key
}

/** Writes the gateway's identity and the present address of the relay's broker. */
export function writePairing(paths: DataPaths, account: DemoAccount, mqttPort: number): void {
  const pairing: Pairing = {
    gatewayId: account.gatewayId,
    token: account.token,
    brokerUrl: `mqtt://127.0.0.1:${mqttPort}`,
    topics: account.topics,
    merchantName: 'Demo kitchen',
    timeZone: account.timeZone ?? DEMO_TIME_ZONE,
  }
  writePrivateFile(paths.pairing, `${JSON.stringify(pairing, null, 2)}\n`)
}

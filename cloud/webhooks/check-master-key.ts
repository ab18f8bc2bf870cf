// Checks that the master key is the one that sealed the secrets of the database, and the same for all its relays.
import type { EndpointStore } from '#cloud/storage/endpoint-store.ts'
import type { MasterKeyStore } from '#cloud/storage/master-key-store.ts'
import type { Logger } from '#shared/log.ts'
import { ConfigError } from '#shared/settings.ts'
import type { SecretBox } from './secret-box.ts'

export interface MasterKeyDeps {
  endpoints: Pick<EndpointStore, 'newestSealed'>
  masterKeys: Pick<MasterKeyStore, 'check' | 'keepFirst' | 'keep'>
  secretBox: SecretBox
  log: Pick<Logger, 'warn'>
}

const IF_LOST =
  'If it is lost, set CLOUD_START_WITHOUT_SECRETS=yes and make a new secret for each endpoint (rotate-secret).'
const CANNOT_OPEN = `CLOUD_MASTER_KEY does not open the webhook secrets in this database: webhooks could not be signed. Set the key that they were sealed with. ${IF_LOST}`
const ANOTHER = `CLOUD_MASTER_KEY is another one than that of this database: all relays on it, and all starts, need the same key. Set that of its first start. ${IF_LOST}`

/**
 * Runs at the start of a relay. The first relay on a database without secrets stores the check value of its key.
 * @param mayBeAnother the operator has declared the old secrets lost: a warning instead of an error
 * @throws ConfigError
 */
export async function checkMasterKey(deps: MasterKeyDeps, mayBeAnother: boolean): Promise<void> {
  const { masterKeys, secretBox, log } = deps
  const check = secretBox.check()
  const found = await foundBy(deps)
  // Secrets that it opens prove more than the stored check value: they may have been created again with a new key.
  if (found === 'opens') return (await masterKeys.check()) === check ? undefined : masterKeys.keep(check)
  const isOwn = found === 'none' && (await masterKeys.check()) === check
  if (isOwn || (found === 'none' && (await masterKeys.keepFirst(check)) === check)) return
  if (!mayBeAnother) throw new ConfigError(found === 'none' ? ANOTHER : CANNOT_OPEN)
  log.warn('webhooks cannot be signed: the master key is another one')
  if (found === 'none') await masterKeys.keep(check)
}

/** Runs before a command seals anything. Changes nothing. @throws ConfigError */
export async function compareMasterKey(
  deps: Pick<MasterKeyDeps, 'endpoints' | 'masterKeys' | 'secretBox'>,
): Promise<void> {
  const found = await foundBy(deps)
  if (found === 'fails') throw new ConfigError(CANNOT_OPEN)
  if (found === 'opens') return
  const kept = await deps.masterKeys.check()
  if (kept !== null && kept !== deps.secretBox.check()) throw new ConfigError(ANOTHER)
}

async function foundBy({
  endpoints,
  secretBox,
}: Pick<MasterKeyDeps, 'endpoints' | 'secretBox'>): Promise<'none' | 'opens' | 'fails'> {
  const sealed = await endpoints.newestSealed()
  if (sealed === null) return 'none'
  try {
    secretBox.open(sealed)
    return 'opens'
  } catch {
    return 'fails'
  }
}

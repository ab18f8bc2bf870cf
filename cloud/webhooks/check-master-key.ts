// Whether the master key is still the one that sealed the secrets, tried at the start on one of them: with another one no webhook could be signed.
import type { EndpointStore } from '#cloud/storage/endpoint-store.ts'
import type { Logger } from '#shared/log.ts'
import { ConfigError } from '#shared/settings.ts'
import type { SecretBox } from './secret-box.ts'

export interface MasterKeyDeps {
  endpoints: Pick<EndpointStore, 'newestSealed'>
  secretBox: SecretBox
  log: Logger
}

/**
 * @param mayBeAnother the operator has said that the old secrets are lost: a warning instead
 * @throws ConfigError
 */
export async function checkMasterKey(
  { endpoints, secretBox, log }: MasterKeyDeps,
  mayBeAnother: boolean,
): Promise<void> {
  const sealed = await endpoints.newestSealed()
  if (sealed === null || opens(secretBox, sealed)) return
  if (!mayBeAnother)
    throw new ConfigError(
      'CLOUD_MASTER_KEY does not open the webhook secrets in this database: webhooks could not be signed. Set the key that they were sealed with. If it is lost, set CLOUD_START_WITHOUT_SECRETS=yes and make a new secret for each endpoint (rotate-secret).',
    )
  log.warn('webhooks cannot be signed: the master key is another one')
}

function opens(secretBox: SecretBox, sealed: string): boolean {
  try {
    secretBox.open(sealed)
    return true
  } catch {
    return false
  }
}

// The relay's secret box, for operations that seal a secret.
import type { SecretBox } from '#cloud/webhooks/secret-box.ts'
import type { ControlContext } from './context.ts'
import { ControlRefusal } from './control-refusal.ts'

/** @throws ControlRefusal without the relay's master key */
export function requireSecretBox({ secretBox }: Pick<ControlContext, 'secretBox'>): SecretBox {
  if (secretBox !== null) return secretBox
  throw new ControlRefusal('refused', "Set CLOUD_MASTER_KEY to the relay's own: secrets are encrypted with it.", {
    said: { key: 'relay.no-master-key' },
  })
}

// Which topics of the live feed a person gets: those that they could read by an operation.
import { RECEPTIONIST_SCOPE } from '#cloud/auth/scopes.ts'
import type { LiveTopic } from './live-answers.ts'
import { type Right, type Role, roleMay } from './roles.ts'

type TopicRight = Exclude<Right, 'self' | 'operator'>

/** As of the operations that show the same; `scope`: what a grant must have at a merchant of another account. */
const TOPICS: Readonly<Record<LiveTopic, { right: TopicRight; scope: string | null }>> = {
  orders: { right: 'serve', scope: 'orders:read' },
  gateways: { right: 'kitchen', scope: 'printers:control' },
  printers: { right: 'kitchen', scope: 'printers:control' },
  deliveries: { right: 'build', scope: 'webhooks:manage' },
  calls: { right: 'serve', scope: RECEPTIONIST_SCOPE },
  status: { right: 'member', scope: null },
}

/**
 * @param role null: an operator who views the account
 * @param scopes of the grant; null: all, or the account's own merchant
 */
export function liveTopicsFor(
  role: Role | null,
  { environment, scopes }: { environment: 'sandbox' | 'live'; scopes: readonly string[] | null },
): LiveTopic[] {
  const topics = Object.keys(TOPICS) as LiveTopic[]
  return topics.filter((topic) => {
    const { right, scope } = TOPICS[topic]
    if (scope !== null && scopes !== null && !scopes.includes(scope)) return false
    return role === null || roleMay(role, right, { kind: 'reads', environment })
  })
}

// Numbers that a plan limits: live locations and gateways of an account, connected platforms of a live merchant. Pure.
import type { Plan } from './plans.ts'

/** How many of each there are, or would be. */
export interface Holdings {
  locations: number
  /** Of the merchant with the most. */
  platforms: number
}

/** Why these do not fit the plan, one sentence for each; empty when they do. */
export function overPlan(plan: Plan, holdings: Partial<Holdings>): string[] {
  const reasons: string[] = []
  const { locations = 0, platforms = 0 } = holdings
  if (plan.locations !== null && locations > plan.locations)
    reasons.push(
      `The plan ${plan.name} allows ${counted(plan.locations, 'live location')}, this would be ${locations}.`,
    )
  if (plan.platforms !== null && platforms > plan.platforms)
    reasons.push(
      `The plan ${plan.name} allows ${counted(plan.platforms, 'connected platform')} a merchant, this would be ${platforms}.`,
    )
  return reasons
}

/** A box, a second one, and a replacement for each. */
const GATEWAYS_A_LOCATION = 4

/** How many gateways this account may have with so many locations. */
export function gatewaysOf(plan: Plan, locations: number): number {
  return plan.gateways ?? Math.max(1, locations) * GATEWAYS_A_LOCATION
}

/** Why one more gateway does not fit, in a sentence; null when it does. @param has those that were not revoked, and its locations */
export function gatewayOverPlan(plan: Plan, has: { gateways: number; locations: number }): string | null {
  const most = gatewaysOf(plan, has.locations)
  if (has.gateways < most) return null
  const locations = counted(has.locations, 'location')
  const allowed = plan.gateways === null ? `${locations} may have ${most}` : `its contract allows ${most}`
  return `The account has ${counted(has.gateways, 'gateway')}; ${allowed}. Revoke one that is not used any more.`
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

// What a plan limits in number: live locations of an account, connected platforms of a live merchant. Pure.
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

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

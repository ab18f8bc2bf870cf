// A cache of plans: reading a contract again with each call would cost as much as the call.
import type { PlanName } from '#shared/wire/api/account.ts'
import { type Plan, planOf } from './plans.ts'

/** The account of a plan, from a key's principal. */
interface PlanHolder {
  environment: 'sandbox' | 'live'
  plan: PlanName
  planOverrides: string | null
}

/** Contracts that are kept; a few, unless every account has its own. */
const MOST_CONTRACTS = 10_000

export class KeptPlans {
  readonly #plans = new Map<string, Plan>()

  of({ environment, plan, planOverrides }: PlanHolder): Plan {
    const contract = `${environment} ${plan} ${planOverrides ?? ''}`
    const known = this.#plans.get(contract)
    if (known) return known
    const read = planOf({ plan, plan_overrides: planOverrides }, environment)
    if (this.#plans.size >= MOST_CONTRACTS) this.#plans.clear()
    this.#plans.set(contract, read)
    return read
  }
}

// The telephone companies of a relay: the one that the operator has set, and always the simulated one, for the sandbox and for trying things out.
import type { SimulatedTelephony } from './simulated/simulated-telephony.ts'
import type { HookRequest, Provider, Telephony } from './telephony.ts'

export class Telephones {
  /** The one of live merchants: as set, else the simulated one. */
  readonly live: Telephony
  readonly simulated: SimulatedTelephony

  constructor({ live, simulated }: { live: Telephony | null; simulated: SimulatedTelephony }) {
    this.live = live ?? simulated
    this.simulated = simulated
  }

  /** A sandbox never costs money: its calls and texts are simulated. */
  for(environment: 'sandbox' | 'live'): Telephony {
    return environment === 'live' ? this.live : this.simulated
  }

  /** Of a number that was wired before. Null: that company is not set any more. */
  of(provider: Provider): Telephony | null {
    return [this.live, this.simulated].find((telephony) => telephony.provider === provider) ?? null
  }

  /**
   * The company that a hook came from; null: none of ours. Without a look at the database: the caller then checks that the number of the path
   * is one of this company.
   */
  verified(request: HookRequest): Telephony | null {
    return [...new Set([this.live, this.simulated])].find((telephony) => telephony.verify(request)) ?? null
  }
}

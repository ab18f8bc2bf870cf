// A platform inside the relay, for the sandbox: it takes everything at once, or nothing while its channel is set to fail.
import type { Outcome } from '#cloud/outbox/outbox.ts'
import type { ChannelConnector, ChannelContext, ChannelMessage } from './channel-connector.ts'

/** `config` of a `simulated` channel. */
export interface SimulatedChannelConfig {
  /** True: every message is refused, so that `sync: failed` can be seen. */
  fails: boolean
}

export class SimulatedConnector implements ChannelConnector {
  async tell(_message: ChannelMessage, context: ChannelContext): Promise<Outcome> {
    const { fails } = JSON.parse(context.config) as SimulatedChannelConfig
    return { error: fails ? 'simulated_failure' : null, retryAfterMs: null }
  }
}

// What the relay does when another one on its database has died: the wiring. What taking over does is tested with the outboxes.
import pino from 'pino'
import { beforeEach, describe, expect, it } from 'vitest'
import { Signal } from '#shared/signal.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { neighbourServices, type Shared } from './background.ts'
import type { CloudConfig } from './config.ts'
import type { Relay } from './relay/relay.ts'
import { SessionIndex } from './relay/session-index.ts'

let done: string[]
let failing: string | null
let replica: { id: string; changed: Signal; died: Signal<string>; returned: Signal }
beforeEach(async () => {
  done = []
  failing = null
  replica = { id: 'r_me', changed: new Signal(), died: new Signal<string>(), returned: new Signal() }
  const outbox = (name: string) => ({
    takeOver: async ({ retrySeconds }: { retrySeconds: readonly number[] }) => {
      done.push(`${name} ${retrySeconds}`)
      if (failing === name) throw new Error('the database was away')
    },
  })
  const outboxes = {
    deliveries: outbox('deliveries'),
    channelOutbox: outbox('channels'),
    posOutbox: outbox('pos'),
    notices: outbox('notices'),
    texts: outbox('texts'),
    voicemails: outbox('voicemails'),
  }
  const shared = { ...outboxes, replica, clock: new ManualClock(), log: pino({ level: 'silent' }), metrics: null }
  const relay = { relayDied: async () => void done.push('presence'), returned: () => void done.push('returned') }
  const parts = { relay: relay as unknown as Relay, sessions: new SessionIndex(), shards: null, mosquitto: null }
  const config = { CLOUD_WEBHOOK_RETRY_SECONDS: [1, 5] } as unknown as CloudConfig
  await neighbourServices(shared as unknown as Shared, config, parts)
})

const ALL = [
  'presence',
  'deliveries 1,5',
  'channels 1,5',
  'pos 1,5',
  'notices 60,300,1800,7200',
  'texts 15,60,300',
  'voicemails 60,300,1800,21600',
]

describe('when another relay has died', () => {
  it('each relay that lives takes over what that one had in every outbox, once', async () => {
    replica.died.notify('r_dead')
    await expect.poll(() => done).toEqual(ALL)
    replica.changed.notify()
    replica.returned.notify()
    expect(done).toEqual([...ALL, 'returned'])
  })

  it('what could not be taken over is taken over after the next heartbeat', async () => {
    failing = 'channels'
    replica.died.notify('r_dead')
    await expect.poll(() => done.length).toBe(3)
    failing = null
    await expect
      .poll(() => {
        replica.changed.notify()
        return done.slice(3)
      })
      .toEqual(ALL)
  })

  it('a heartbeat alone takes nothing over', () => {
    replica.changed.notify()
    expect(done).toEqual([])
  })
})

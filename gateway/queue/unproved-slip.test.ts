// A printer that prints but proves nothing, not even the slip that closes an incomplete ticket: its backup takes over, before and after a restart.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SendOutcome } from '#gateway/printers/transport.ts'
import { FRY, GatewayCore, GRILL } from '#test/doubles/gateway-core.ts'
import { OFFLINE, type ScriptedTransport } from '#test/doubles/scripted-transport.ts'

const UNPROVED: SendOutcome = {
  kind: 'not-sent',
  readiness: { kind: 'busy', reason: 'timed-out', detail: '' },
  slipUnproved: true,
}
/** Time that a printer has for its proof. */
const PROOF_MS = 6_000
const ids = ({ sent }: ScriptedTransport) => sent.map(({ attemptId }) => attemptId)

describe('a printer that proves nothing, not even a slip', () => {
  let core: GatewayCore
  let grill: ScriptedTransport
  let fry: ScriptedTransport
  const use = (next: GatewayCore): void => {
    core = next
    grill = core.transport('grill')
    fry = core.transport('fry')
  }
  const proveNothing = (outcome: (transport: ScriptedTransport) => SendOutcome): void => {
    grill.outcomes.shift = () => async (signal) => {
      await core.clock.sleep(PROOF_MS, signal)
      return outcome(grill)
    }
  }
  beforeEach(() => {
    use(new GatewayCore([GRILL, FRY]))
    core.set('grill', { backupPrinterId: 'fry', backupAfterMs: 5_000, backupWhenDoubtfulAfterMs: 5_000 })
  })
  afterEach(async () => {
    expect(core.fatal).toEqual([])
    await core.stop()
  })

  it('gives its tickets to its backup when the doubt has lasted', async () => {
    proveNothing(() => UNPROVED)
    await core.queue.start()
    core.accept('pj_1')
    await core.pass(2 * PROOF_MS + 1_000)
    expect(ids(fry)).toEqual(['pj_1-1.1'])
  })

  it('is tried again later, after growing times, and meanwhile its tickets go to its backup at once', async () => {
    proveNothing((transport) => transport.uncertain())
    await core.queue.start()
    core.accept('pj_1')
    await core.pass(2 * PROOF_MS + 1_000)
    expect(ids(fry)).toHaveLength(1)
    const before = grill.sent.length
    core.accept('pj_2')
    await core.pass(0)
    expect(fry.sent).toHaveLength(2)
    await core.pass(60_000)
    expect(grill.sent.length - before).toBeLessThanOrEqual(3)
    grill.outcomes.shift = () => undefined
    await core.pass(20_000)
    expect(grill.sent.at(-1)?.text).toContain('WENT ELSEWHERE')
    core.accept('pj_3')
    await core.pass(0)
    expect(ids(grill).at(-1)).toBe('pj_3-1.1')
  })

  it('is still in doubt after a restart, so that one more attempt without proof is enough', async () => {
    proveNothing((transport) => transport.uncertain())
    await core.queue.start()
    core.accept('pj_1')
    await core.pass(PROOF_MS + 3_000)
    expect(fry.sent).toEqual([])
    use(core.crash())
    proveNothing(() => UNPROVED)
    await core.queue.start()
    await core.pass(PROOF_MS + 1_000)
    expect(ids(fry)).toHaveLength(1)
    expect(fry.sent[0]?.text).toContain('POSSIBLE DUPLICATE')
  })

  it('that was interrupted by a restart and then prints well is not reported as in doubt', async () => {
    proveNothing((transport) => transport.uncertain())
    await core.queue.start()
    core.accept('pj_1')
    await core.pass(1_000)
    use(core.crash())
    await core.pass(60_000)
    core.transport('grill').outcomes.push(() => UNPROVED)
    await core.queue.start()
    await core.pass(3_000)
    expect(fry.sent).toEqual([])
    expect(core.states()).toEqual({ 'pj_1-1': 'printed' })
  })
})

describe('two printers that are each other’s backup', () => {
  it('and have both left a ticket in doubt: the one that works again and is idle gets the tickets of the other', async () => {
    const core = new GatewayCore([GRILL, FRY])
    const [grill, fry] = [core.transport('grill'), core.transport('fry')]
    const policies = { backupAfterMs: 5_000, backupWhenDoubtfulAfterMs: 5_000 }
    core.set('grill', { backupPrinterId: 'fry', ...policies })
    core.set('fry', { backupPrinterId: 'grill', ...policies })
    const mute = (transport: ScriptedTransport) => () => async (signal: AbortSignal) => {
      await core.clock.sleep(PROOF_MS, signal)
      return transport.uncertain()
    }
    // The ticket is left in doubt at its backup, and printed by its own printer, which is ready again.
    grill.down = OFFLINE
    fry.outcomes.shift = mute(fry)
    await core.queue.start()
    core.accept('pj_1')
    await core.pass(9_000)
    grill.down = null
    grill.show('online')
    await core.pass(20_000)
    const atFry = fry.sent.length
    expect(atFry).toBeGreaterThan(0)
    expect(ids(grill).at(-1)).toMatch(/^pj_1-1/)
    // Now the first one leaves everything in doubt, and the other one is ready and idle.
    fry.outcomes.shift = () => undefined
    grill.outcomes.shift = mute(grill)
    await core.pass(15_000)
    core.accept('pj_2')
    core.accept('pj_3')
    await core.pass(60_000)
    expect(
      ids(fry)
        .slice(atFry)
        .map((id) => id.replace(/\.\d+$/, '')),
    ).toEqual(['pj_2-1', 'pj_3-1'])
    expect(core.fatal).toEqual([])
    await core.stop()
  })
})

// Logs: secrets are redacted even when a caller passes them, and the walk's line has its fields.
import { describe, expect, it } from 'vitest'
import { createLogger, logWalk } from './log.ts'

function capture(): { lines: Record<string, unknown>[]; write(text: string): void } {
  const lines: Record<string, unknown>[] = []
  return { lines, write: (text) => lines.push(JSON.parse(text)) }
}

describe('createLogger', () => {
  it('redacts keys, tokens, bodies and customers', () => {
    const out = capture()
    const log = createLogger('test', 'info', out)
    log.info({ apiKey: 'sk_live_x', token: 't', customer: { phone: '555' }, body: 'secret', orderId: 'a' }, 'hello')
    expect(JSON.stringify(out.lines)).not.toMatch(/sk_live_x|555|secret"/)
    expect(out.lines[0]).toMatchObject({ orderId: 'a', apiKey: '[redacted]', msg: 'hello', program: 'test' })
  })

  it('writes one line a step with the step, the ids and rounded milliseconds', () => {
    const out = capture()
    logWalk(
      createLogger('test', 'info', out),
      { walk: '3/10', printJobId: 'pj_1', ms: 1.234_567 },
      'sent to the kitchen',
    )
    expect(out.lines).toHaveLength(1)
    expect(out.lines[0]).toMatchObject({ walk: '3/10', printJobId: 'pj_1', ms: 1.23, msg: 'sent to the kitchen' })
  })
})

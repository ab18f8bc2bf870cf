// Findings over time: since when, and that one which comes and goes does not make the list jump.
import { describe, expect, it } from 'vitest'
import type { Finding } from '#shared/health.ts'
import { finding, opening } from './finding.ts'
import { HELD_MS, HeldFindings } from './held-findings.ts'

const DOWN = finding('relay-unreachable', { severity: 'warning', act: opening('open-settings', '/settings') })

describe('a finding over time', () => {
  const shown = (held: HeldFindings, findings: readonly Finding[], ms: number) =>
    held.look(findings, ms, 1_000_000 + ms).map(({ id, sinceMs, act }) => [id, sinceMs, act === null])

  it('lasts since it was first seen unless a better time is known, and disappears at once when it was fixed', () => {
    const held = new HeldFindings()
    expect(shown(held, [DOWN], 0)).toEqual([['relay-unreachable', 1_000_000, false]])
    expect(shown(held, [DOWN], 5_000)).toEqual([['relay-unreachable', 1_000_000, false]])
    expect(shown(held, [], 6_000)).toEqual([])
    expect(shown(held, [{ ...DOWN, sinceMs: 7 }], 6_000 + HELD_MS)).toEqual([['relay-unreachable', 7, false]])
  })

  it('that came back within a minute stays until it has been absent for a minute', () => {
    const held = new HeldFindings()
    shown(held, [DOWN], 0)
    shown(held, [], 1_000)
    expect(shown(held, [DOWN], 30_000)).toEqual([['relay-unreachable', 1_000_000, false]])
    expect(shown(held, [], 31_000), 'without its button: nothing is to be mended').toEqual([
      ['relay-unreachable', 1_000_000, true],
    ])
    expect(shown(held, [], 31_000 + HELD_MS - 1)).toHaveLength(1)
    expect(shown(held, [], 31_000 + HELD_MS)).toEqual([])
  })

  it('that is advice has no start time', () => {
    const advice = finding('printer-untested', { severity: 'advice', act: opening('open-log', '/logs') })
    expect(shown(new HeldFindings(), [advice], 0)).toEqual([['printer-untested', null, false]])
  })
})

// A hundred thousand tickets whose every text, picture and code tries to command the printer, on every family: what would it have done?
// Alone: node test/bench/hostile-orders.ts [cases]. A seed of its own each time; a case that gets through is printed.
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { PROFILES } from '#shared/tickets/printer-profiles.ts'
import { renderJobTicket } from '#shared/tickets/render-job.ts'
import { hostileTicket } from '#test/fixtures/hostile-tickets.ts'
import { faultsOfTicket } from '#test/harness/judge-bytes.ts'
import type { Figure } from './figures.ts'

export const HOSTILE_CASES = 100_000

export interface HostileRun {
  cases: number
  seconds: number
  bytes: number
  /** Null: every case was harmless. Else the smallest one that was not, and why. */
  failure: string | null
}

/** Renders and judges `cases` hostile tickets. */
export async function measureHostile(cases: number): Promise<HostileRun> {
  const startedAt = performance.now()
  let bytes = 0
  const property = fc.asyncProperty(hostileTicket, async ({ input, profile, raster }) => {
    const rendered = await renderJobTicket(input, profile, raster)
    bytes += rendered.bytes.length
    const faults = faultsOfTicket(rendered.bytes, profile, input.beeps ?? 0)
    if (faults.length > 0) throw new Error(`${profile.id}: ${faults.join('; ')}`)
  })
  const details = await fc.check(property, { numRuns: cases })
  const seconds = (performance.now() - startedAt) / 1_000
  const failure = details.failed ? fc.defaultReportMessage(details) : null
  return { cases: details.numRuns, seconds, bytes, failure: failure ?? null }
}

/** The row of the table. */
export function hostileFigures(run: HostileRun): Figure[] {
  const amount = `${run.cases.toLocaleString('en-US')} tickets, ${(run.bytes / 1e6).toFixed(0)} MB, ${run.seconds.toFixed(0)} s`
  return [
    {
      name: `hostile tickets on ${PROFILES.length} families that opened a drawer, wrote a setting, cut twice or left the allow-list`,
      goal: '0',
      value: run.failure === null ? `0 (${amount})` : '1 or more',
      met: run.failure === null,
    },
  ]
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const run = await measureHostile(Number(process.argv[2] ?? HOSTILE_CASES))
  if (run.failure !== null) console.log(run.failure)
  for (const { name, value } of hostileFigures(run)) console.log(`${name}: ${value}`)
  process.exitCode = run.failure === null ? 0 : 1
}

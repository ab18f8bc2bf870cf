// The live topics of the technician's page, read by the operations: the feed contains what the page would get by calling them.
import type { StatusAnswer, TicketPage } from '#gateway/control/answers.ts'
import type { Control } from '#gateway/control/control.ts'
import type { HealthAnswer } from '#gateway/control/health-answers.ts'
import { isOperation } from '#gateway/control/operations.ts'
import type { Topics } from '#shared/pages/live-topics.ts'

const NEWEST_TICKETS = 50
const ASKER = 'live feed'

/** @param breathe awaited before each question: what prints comes first */
export async function pageTopics(control: Pick<Control, 'perform'>, breathe: () => Promise<void>): Promise<Topics> {
  const ask = async (name: string, body: unknown = {}): Promise<unknown> => {
    await breathe()
    return await control.perform(name, body, { asker: ASKER })
  }
  const { printers, time: _, ...status } = (await ask('status')) as StatusAnswer
  const { tickets } = (await ask('jobs.list', { limit: NEWEST_TICKETS })) as TicketPage
  const { findings, ...health } = (await ask('health.list')) as HealthAnswer
  const displays = isOperation('displays.list') ? await ask('displays.list') : []
  return {
    status: { box: status },
    printers: byKey(printers, 'printerId'),
    tickets: byKey(tickets, 'ticketId'),
    findings: byKey(findings, 'id'),
    health: { box: health },
    displays: byKey(displays as { displayId: string }[], 'displayId'),
  }
}

function byKey<K extends string>(values: readonly Readonly<Record<K, string>>[], key: K): Record<string, unknown> {
  return Object.fromEntries(values.map((value) => [value[key], value]))
}

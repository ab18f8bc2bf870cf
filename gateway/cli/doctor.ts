// What `doctor` says: every part of the box as one line, well or not, with what to do. Pure.
import type { RepairAnswer, StatusAnswer } from '#gateway/control/answers.ts'

export interface Check {
  name: string
  result: 'pass' | 'warn' | 'fail'
  /** What was found, and what to do when it is not well. */
  text: string
}

const PARTS: readonly { name: string; well: string; trouble: readonly string[] }[] = [
  { name: 'disk', well: 'has room', trouble: ['disk-full', 'disk-low'] },
  { name: 'clock', well: 'agrees with what is known', trouble: ['clock-wrong', 'clock-unset'] },
  { name: 'database', well: 'whole', trouble: ['database-replaced'] },
  { name: 'memory', well: 'below its limit', trouble: ['memory-high'] },
  { name: 'update', well: 'none was undone, none waits', trouble: ['update-undone', 'update-available'] },
]
const RESULT = { error: 'fail', warning: 'warn', info: 'warn' } as const

export function checksOf(status: StatusAnswer, repairs: readonly RepairAnswer[]): Check[] {
  const { link, queue } = status
  const ofBox = PARTS.map(({ name, well, trouble }): Check => {
    const found = repairs.find(({ id }) => trouble.includes(id))
    return found ? checkOf(name, found) : { name, result: 'pass', text: well }
  })
  const known = new Set(PARTS.flatMap(({ trouble }) => trouble))
  const others = repairs.filter(({ id }) => !known.has(id)).map((repair) => checkOf(nameOf(repair), repair))
  const troubled = new Set(others.filter(({ result }) => result === 'fail').map(({ name }) => name))
  const printers = status.printers
    .filter(({ name, state }) => state !== 'offline' && !troubled.has(`printer ${name}`))
    .map(
      ({ name, state, confirm }): Check => ({
        name: `printer ${name}`,
        result: 'pass',
        text: `${state}, proof ${confirm.level}`,
      }),
    )
  return [
    {
      name: 'gateway',
      result: status.ready ? 'pass' : 'fail',
      text: status.ready ? `${status.app} is ready` : `${status.app} is not ready`,
    },
    ...ofBox,
    ...(link.state === 'connected'
      ? [{ name: 'relay', result: 'pass' as const, text: `connected since ${link.since}` }]
      : []),
    {
      name: 'queue',
      result: queue.parked > 0 ? 'warn' : 'pass',
      text: `${queue.queued} wait, ${queue.held} for their time, ${queue.parked} for a person`,
    },
    ...printers,
    ...others,
  ]
}

/** Whether anything keeps the kitchen from working. */
export function hasFailed(checks: readonly Check[]): boolean {
  return checks.some(({ result }) => result === 'fail')
}

function checkOf(name: string, { severity, title, text }: RepairAnswer): Check {
  return { name, result: RESULT[severity], text: `${title}. ${text}` }
}

function nameOf({ values, key }: RepairAnswer): string {
  const { printer } = values
  if (typeof printer === 'string') return `printer ${printer}`
  return key.includes('pair') || key.includes('relay') ? 'relay' : 'set-up'
}

// What is wrong with the screens of the kitchen: silent ones with orders on them first. Pure.
import { fromIso } from '#shared/clock.ts'
import type { Finding, FindingAct, FindingSubject } from '#shared/health.ts'
import { cost, doing, finding, opening } from './finding.ts'
import type { DisplayFacts, HealthFacts, PrinterFacts } from './health-facts.ts'
import { isWorking } from './health-printers.ts'

type Kitchen = Pick<HealthFacts, 'nowMs' | 'printers' | 'displays' | 'otherScreens' | 'board'>

const DISPLAYS = opening('open-displays', '/displays')

/** None for a screen that nobody has signed in to, except that it waits for a sign-in. */
export function displayFindings(facts: Kitchen): Finding[] {
  const { displays, otherScreens = [], board } = facts
  const others = otherScreens.filter(({ signedInAt, isSilent }) => signedInAt !== null && isSilent)
  const used = displays.filter(({ signedInAt }) => signedInAt !== null)
  const silent = used.filter(({ isSilent }) => isSilent)
  const unread = finding('board-unread', { severity: 'warning', act: opening('open-log', '/logs') })
  const isNoneAlive = silent.length > 1 && silent.length === used.length && (board?.unseen ?? 0) > 0
  return [
    ...(board === null && used.length > 0 ? [unread] : []),
    ...(isNoneAlive ? [noneAlive(silent, facts)] : silent.map((display) => silentFinding(display, facts))),
    ...used.filter(({ isSilent }) => !isSilent).flatMap((display) => aliveFindings(display, facts)),
    ...others.map((screen) => silentFinding(screen, { ...facts, board: null })),
    ...[...displays, ...otherScreens].filter(({ signedInAt }) => signedInAt === null).map(unclaimed),
  ]
}

export function displaySubject({ displayId, name }: Pick<DisplayFacts, 'displayId' | 'name'>): FindingSubject {
  return { kind: 'display', id: displayId, name }
}

/** Reported once for all of them. */
function noneAlive(silent: readonly DisplayFacts[], facts: Kitchen): Finding {
  const { board, printers } = facts
  const heard = silent.flatMap(({ lastHeardAt }) => fromIso(lastHeardAt ?? '') ?? [])
  return finding('no-screen-alive', {
    severity: 'critical',
    sinceMs: heard.length === 0 ? null : Math.max(...heard),
    cost: cost('orders-unseen', board?.unseen ?? 0),
    act: printing(printers),
  })
}

/** A screen that answers and shows nothing new costs what a silent one does, and is mended otherwise. */
function silentFinding(display: DisplayFacts, { displays, board, printers }: Kitchen): Finding {
  const key = display.isStuck ? 'display-stuck' : 'display-silent'
  const { displayId, name, lastHeardAt } = display
  const { unseen = 0, printed = 0, onExpo = 0 } = board?.byDisplay.get(displayId) ?? {}
  const rest = { subject: displaySubject(display), values: { display: name }, sinceMs: fromIso(lastHeardAt ?? '') }
  if (unseen > 0)
    return finding(key, {
      ...{ ...rest, severity: 'critical', cost: cost('orders-unseen', unseen) },
      act: takingOver(display, displays) ?? printing(printers),
    })
  // A person who chose expo as its replacement has decided that its cooks look there.
  if (onExpo > 0 && !display.isCovered)
    return finding(key, {
      ...{ ...rest, severity: 'warning', cost: cost('orders-at-expo', onExpo) },
      act: takingOver(display, displays) ?? DISPLAYS,
    })
  if (printed === 0) return finding(key, { ...rest, severity: 'advice', act: DISPLAYS })
  return finding(key, { ...rest, severity: 'warning', cost: cost('orders-on-paper', printed), act: DISPLAYS })
}

/** A screen of another station comes before expo, at which no cook works. Undefined: none is connected. */
function takingOver({ displayId }: DisplayFacts, displays: readonly DisplayFacts[]): FindingAct | undefined {
  const fit = displays.filter(
    (other) => other.displayId !== displayId && other.isAlive && !other.isSilent && other.signedInAt !== null,
  )
  const by = fit.find(({ stations }) => stations.length > 0) ?? fit[0]
  return (
    by &&
    doing('take-over', {
      operation: 'displays.take-over',
      input: { displayId, by: by.displayId },
      values: { by: by.name },
    })
  )
}

function printing(printers: readonly PrinterFacts[]): FindingAct {
  const working = printers.filter(isWorking)
  const printer = working.find(({ isDefault }) => isDefault) ?? working[0]
  if (!printer) return DISPLAYS
  const input = { printer: printer.printerId }
  return doing('print-board', { operation: 'displays.print-board', input, values: { printer: printer.name } })
}

function aliveFindings(display: DisplayFacts, { displays, printers }: Kitchen): Finding[] {
  const { displayId, name, backupPrinterId, standsInFor } = display
  const subject = displaySubject(display)
  // Printers come with the default one first.
  const [backup] = printers
  const back = standsInFor && displays.find((other) => other.displayId === standsInFor.displayId && other.isAlive)
  const standsIn = (other: DisplayFacts): Finding =>
    finding('display-stands-in', {
      ...{ subject, severity: 'advice', values: { by: name, display: other.name } },
      act: doing('give-back', { operation: 'displays.give-back', input: { displayId } }),
    })
  const alone = (printer: PrinterFacts): Finding =>
    finding('display-no-backup', {
      ...{ subject, severity: 'advice', values: { display: name, backup: printer.name } },
      act: doing('display-backup', {
        operation: 'displays.update',
        input: { displayId, backupPrinter: printer.printerId },
        values: { backup: printer.name },
      }),
    })
  return [...(back ? [standsIn(back)] : []), ...(backupPrinterId === null && backup ? [alone(backup)] : [])]
}

function unclaimed(display: DisplayFacts): Finding {
  const values = { display: display.name }
  return finding('display-unclaimed', { subject: displaySubject(display), severity: 'advice', values, act: DISPLAYS })
}

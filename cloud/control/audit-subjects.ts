// What the audit log may show of a subject: never more than the subject's own page would show the viewer.
import { openInvitation } from '#cloud/people/invitations.ts'
import type { AuditSubject, SubjectFacts, SubjectOfLine } from '#cloud/storage/audit-subject-store.ts'
import { orderNumber } from '#shared/tickets/order-number.ts'
import type { SubjectAbout } from './audit-list.ts'
import type { ControlContext } from './context.ts'
import type { Doing } from './handler.ts'
import { mayAct } from './may-act.ts'
import { roleMay } from './roles.ts'

export interface SeenSubject extends Omit<AuditSubject, 'ownerId' | 'about'> {
  about: SubjectAbout | null
}

/** What a grant must have to see more than the restaurant itself. */
const OF_ORDERS = new Set(['ord', 'pj', 'evt', 'dlv'])

/** @returns by the subject in the line, with its account; null: it was deleted, or is not for this viewer */
export async function subjectsFor(
  context: ControlContext,
  doing: Doing,
  lines: readonly SubjectOfLine[],
): Promise<(line: SubjectOfLine) => SeenSubject | null> {
  const behind = await context.auditSubjects.ofLines(lines)
  const allowed = new Map<string, boolean>()
  for (const line of lines) {
    const place = placeOf(line, behind(line), doing)
    if (place !== null && !allowed.has(place.name)) allowed.set(place.name, await place.isAllowed(context))
  }
  const nowMs = context.clock.now()
  return (line) => {
    const thing = behind(line)
    if (thing === null || allowed.get(placeOf(line, thing, doing)?.name ?? '') === false) return null
    const { ownerId: _, about, ...shown } = thing
    return { ...shown, about: about && aboutFor(about, doing, nowMs) }
  }
}

/** The restaurant of a subject, if it must be checked whether the viewer's account may still act there; null: not needed. */
function placeOf({ subject }: SubjectOfLine, thing: AuditSubject | null, doing: Doing) {
  if (doing.by === 'console' || thing === null) return null
  const { merchantId, environment, ownerId } = thing
  const { accountId } = doing
  // A restaurant itself is named in requests for a grant, too.
  const isRestaurant = thing.publicId === merchantId
  if (merchantId === null || environment === null || accountId === null || ownerId === accountId || isRestaurant)
    return null
  const wanted = OF_ORDERS.has(subject.split('_', 1)[0] ?? '') ? ('orders:read' as const) : null
  return {
    name: `${environment} ${merchantId} ${wanted}`,
    isAllowed: async (context: ControlContext) =>
      environment === 'live' && (await mayAct(context, { accountId, environment, wanted }, merchantId)),
  }
}

function aboutFor(facts: SubjectFacts, doing: Doing, nowMs: number): SubjectAbout | null {
  if (facts.kind === 'mail') return facts
  if (facts.kind === 'job') {
    const { orderId, clientOrderId, posOrderId } = facts
    if (orderId === null || clientOrderId === null) return { kind: 'job', order: null }
    return {
      kind: 'job',
      order: { serviceOrderId: orderId, number: orderNumber({ posOrderId, orderId: clientOrderId }) },
    }
  }
  const { code } = facts
  if (code.kind !== 'invite') return null
  // As the page of people shows it: while it waits, to people who may see that page.
  const waits = code.used_at === null && code.expires_at > nowMs
  const email = waits && seesPeople(doing) ? openInvitation(code).email : null
  return { kind: 'invitation', role: code.account_id === null ? 'operator' : (code.role ?? 'staff'), email }
}

/** Not an operator who views another account. */
function seesPeople(doing: Doing): boolean {
  if (doing.by === 'console') return true
  return doing.role !== null && roleMay(doing.role, 'govern', { kind: 'reads', environment: null })
}

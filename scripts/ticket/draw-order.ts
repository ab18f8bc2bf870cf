// The tickets of an order as on paper: laid out and encoded as a gateway does it, read back from the bytes.
import { type Preview, previewOf } from '#shared/escpos/preview.ts'
import type { KitchenOrder } from '#shared/order.ts'
import { laterCourses } from '#shared/tickets/courses.ts'
import { profileById } from '#shared/tickets/printer-profiles.ts'
import { paperOptionsFor } from '#shared/tickets/profile-paper.ts'
import { type JobTicketInput, renderJobTicket } from '#shared/tickets/render-job.ts'
import { fold, type TicketPart } from '#shared/tickets/route.ts'
import { dueWith } from '#shared/tickets/route-order.ts'
import { charactersOf } from '#shared/tickets/stand-in.ts'
import type { TextRaster } from '#shared/tickets/text-raster.ts'
import type { TicketOptions } from './options.ts'
import { TicketError } from './ticket-error.ts'

export type DrawOptions = Omit<TicketOptions, 'file' | 'png' | 'nowMs'> & { nowMs: number }

const LATE_MS = 11 * 60_000

/**
 * One preview for all tickets of the order, in the order in which they come out.
 * @throws TicketError when no line belongs to the station
 */
export async function drawOrder(
  order: KitchenOrder,
  options: DrawOptions,
  raster: TextRaster | null,
): Promise<Preview> {
  if (options.paper === 'receipt' && order.receipt === undefined)
    throw new TicketError('The order has no amounts for a receipt: give it as a gateway gets it, with "receipt".')
  const profile = profileById(options.profileId)
  const parts: Uint8Array[] = []
  let unprintable = 0
  for (const part of partsOf(order, options)) {
    const rendered = await renderJobTicket(inputOf(order, part, options), profile, raster)
    parts.push(rendered.bytes)
    unprintable += rendered.unprintable
  }
  const preview = previewOf(Buffer.concat(parts), paperOptionsFor(profile))
  if (unprintable === 0) return preview
  const warning = `${charactersOf(unprintable)} could not be printed: code points such as [U+0378], or ?, stand in their places.`
  return { ...preview, warnings: [...preview.warnings, warning] }
}

function inputOf(order: KitchenOrder, part: TicketPart, { marks, fire, reason, nowMs }: DrawOptions): JobTicketInput {
  const isTest = marks.includes('test') ? { isTest: true as const } : {}
  return {
    doc:
      fire === null
        ? { kind: 'order', order, ...isTest }
        : { kind: 'fire', order, course: fire, firedAtMs: nowMs, ...isTest },
    part: reason === null ? part : { ...part, voidReason: reason },
    kind: marks.includes('void') ? 'void' : fire === null ? 'order' : 'fire',
    printerName: part.station ?? 'Kitchen',
    marks: {
      possibleDuplicate: marks.includes('duplicate'),
      isReprint: marks.includes('reprint'),
      lateSinceMs: marks.includes('late') ? nowMs - LATE_MS : null,
    },
    ticketLabel: 'DRAWN-1',
    attempt: 1,
    nowMs,
  }
}

/** One ticket with all lines that are due; that of one station; one for each station; or a label for each piece. */
function partsOf(order: KitchenOrder, { station, split, paper, fire }: DrawOptions): TicketPart[] {
  const due = dueWith(order, [])
  const fired = new Set(order.items.flatMap((item, i) => (item.course === fire ? [i] : [])))
  if (fire !== null && ![...due.later].some((i) => fired.has(i)))
    throw new TicketError(`The order has no later course ${fire}. ${laterWords(order)}`)
  const now = paper === 'receipt' ? new Set(order.items.keys()) : fire === null ? due.now : fired
  const isOf = (wanted: string | null) => (i: number) => fold(order.items[i]?.station ?? '') === fold(wanted ?? '')
  const held = (places: readonly number[]) => (fire === null && places.length > 0 ? { later: places } : {})
  const stations = [...new Map(order.items.map((item) => [fold(item.station ?? ''), item.station])).values()]
  const part = (wanted: string | null): TicketPart => ({
    printerId: '',
    station: wanted,
    items: [...now].filter(isOf(wanted)),
    ...held([...due.later].filter(isOf(wanted))),
    alsoAt: stations.flatMap((other) => (other === null || fold(other) === fold(wanted ?? '') ? [] : [other])),
    paper,
  })
  const all: TicketPart = { printerId: '', station: null, items: [...now], alsoAt: [], ...held([...due.later]), paper }
  const chosen =
    station === null ? (split ? stations.map(part).filter(({ items }) => items.length > 0) : [all]) : [part(station)]
  if (chosen.every(({ items }) => items.length === 0)) {
    const known = stations.filter((one) => one !== null)
    throw new TicketError(
      `No line of the order that is due belongs to station "${station}". ${known.length === 0 ? 'Its lines have no stations.' : `There are: ${known.join(', ')}.`}`,
    )
  }
  return paper === 'label' ? chosen.flatMap((each) => labelsOf(order, each)) : chosen
}

function laterWords({ items }: KitchenOrder): string {
  const later = laterCourses(items)
  return later.length === 0 ? 'All of it prints at once.' : `Its later courses are: ${later.join(', ')}.`
}

function labelsOf(order: KitchenOrder, part: TicketPart): TicketPart[] {
  return part.items.flatMap((index) => {
    const of = order.items[index]?.qty ?? 1
    return Array.from({ length: of }, (_, i) => ({ ...part, items: [index], piece: { n: i + 1, of } }))
  })
}

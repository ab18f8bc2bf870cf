// The banners at the top of a ticket: what people must know before they read it.

export interface TicketMarks {
  /** An earlier copy may stand on paper. */
  possibleDuplicate: boolean
  /** Not null when it prints long after it was due. Epoch milliseconds. */
  lateSinceMs: number | null
  /** Name of the printer that it was meant for, when another one prints it instead. */
  backupFrom?: string | null
  /** A person asked for it again at the gateway. */
  isReprint?: boolean
  /** Nobody may make it. */
  isTest?: boolean
}

const REPRINT = '*** REPRINT ***'
const DUPLICATE = '*** POSSIBLE DUPLICATE ***'

/** TEST ORDER: on every kind of ticket, before everything else. */
export function testMarks({ isTest = false }: Pick<TicketMarks, 'isTest'>): string[] {
  return isTest ? ['*** TEST ORDER ***', 'DO NOT MAKE'] : []
}

/** REPRINT and POSSIBLE DUPLICATE: on every kind of ticket. */
export function duplicateMarks({
  possibleDuplicate,
  isReprint = false,
}: Pick<TicketMarks, 'possibleDuplicate' | 'isReprint'>): string[] {
  return [...(isReprint ? [REPRINT] : []), ...(possibleDuplicate ? [DUPLICATE] : [])]
}

/** The same, with what to do. */
export function copyBanners(marks: Pick<TicketMarks, 'possibleDuplicate' | 'isReprint'>): string[] {
  const found = duplicateMarks(marks)
  return found.length === 0 ? [] : [...found, 'CHECK RAIL']
}

/**
 * BACKUP FROM and LATE: on what a kitchen works by.
 * @param since what happened then: `ordered 18:02`
 * @param printable makes the printer's name ready for paper
 */
export function kitchenBanners(
  { backupFrom = null, lateSinceMs }: TicketMarks,
  since: string,
  printable: (text: string) => string,
): string[] {
  return [
    ...(backupFrom === null ? [] : [`BACKUP FROM ${printable(backupFrom)}`]),
    ...(lateSinceMs === null ? [] : [`*** LATE: ${since} ***`]),
  ]
}

/** `COPY 2/3`, on every copy but the first. */
export function copyMark(copy: { n: number; of: number } | undefined): string[] {
  return copy === undefined || copy.n === 1 ? [] : [`COPY ${copy.n}/${copy.of}`]
}

// The banners at the top of a ticket.

/**
 * What happened to a ticket's lines before it was printed: `made`: all of them, at a display. `partly-made`: some of them. `started`: at
 * least one was started at a display. `on-slip`: they are on the slip of a display that does not answer.
 */
export type ScreenWork = 'made' | 'partly-made' | 'started' | 'on-slip'

export interface TicketMarks {
  /** An earlier copy may exist on paper. */
  possibleDuplicate: boolean
  /** Not null: the kitchen may have made it already, without this paper. */
  screenWork?: ScreenWork | null
  /** When it was due, in epoch milliseconds, if it prints much later. Otherwise null. */
  lateSinceMs: number | null
  /** Name of the printer that it was meant for, if a backup printer prints it. */
  backupFrom?: string | null
  /** A person requested it again at the gateway. */
  isReprint?: boolean
  /** A test order: it must not be made. */
  isTest?: boolean
}

const REPRINT = '*** REPRINT ***'
const DUPLICATE = '*** POSSIBLE DUPLICATE ***'

/** TEST ORDER: on every kind of ticket, before everything else. */
export function testMarks({ isTest = false }: Pick<TicketMarks, 'isTest'>): string[] {
  return isTest ? ['*** TEST ORDER ***', 'DO NOT MAKE'] : []
}

const BY_SCREEN: Readonly<Record<ScreenWork, readonly string[]>> = {
  made: ['MADE AT THE SCREEN', 'CHECK SCREEN'],
  'partly-made': ['PARTLY MADE AT THE SCREEN', 'CHECK SCREEN'],
  started: ['STARTED AT THE SCREEN', 'CHECK SCREEN'],
  'on-slip': [],
}

/** REPRINT and POSSIBLE DUPLICATE: on every kind of ticket. */
export function duplicateMarks({
  possibleDuplicate,
  screenWork = null,
  isReprint = false,
}: Pick<TicketMarks, 'possibleDuplicate' | 'isReprint' | 'screenWork'>): string[] {
  return [...(isReprint ? [REPRINT] : []), ...(possibleDuplicate || screenWork !== null ? [DUPLICATE] : [])]
}

/** The same, with what to do. */
export function copyBanners(marks: Pick<TicketMarks, 'possibleDuplicate' | 'isReprint' | 'screenWork'>): string[] {
  const found = duplicateMarks(marks)
  const byScreen = BY_SCREEN[marks.screenWork ?? 'on-slip']
  // What was made without paper is not on the ticket rail.
  const isOnRail = marks.possibleDuplicate || marks.isReprint === true || byScreen.length === 0
  return found.length === 0 ? [] : [...found, ...byScreen, ...(isOnRail ? ['CHECK RAIL'] : [])]
}

/**
 * BACKUP FROM and LATE: on tickets for the kitchen.
 * @param since the earlier event in words, such as `ordered 18:02`
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

/** `COPY 2/3` on every copy except the first. */
export function copyMark(copy: { n: number; of: number } | undefined): string[] {
  return copy === undefined || copy.n === 1 ? [] : [`COPY ${copy.n}/${copy.of}`]
}

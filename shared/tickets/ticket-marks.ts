// The banners at the top of a ticket: what people must know before they read it.

/**
 * What has become of a ticket's lines before it came to paper: all of them made by a screen, some of them, begun there, or printed on the
 * slip of a silent screen.
 */
export type ScreenWork = 'made' | 'partly-made' | 'started' | 'on-slip'

export interface TicketMarks {
  /** An earlier copy may stand on paper. */
  possibleDuplicate: boolean
  /** Not null: the kitchen may have made it already, without this paper. */
  screenWork?: ScreenWork | null
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
  // What was made without paper hangs on no rail.
  const isOnRail = marks.possibleDuplicate || marks.isReprint === true || byScreen.length === 0
  return found.length === 0 ? [] : [...found, ...byScreen, ...(isOnRail ? ['CHECK RAIL'] : [])]
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

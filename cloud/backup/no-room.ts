// A copy that does not fit on its disk: the words for the operator, with what it needs and what is free there.
import { codeOf } from '#shared/code-of.ts'
import { measureDisk } from '#shared/disk/disk-reserve.ts'
import { FileRefusal } from './file-refusal.ts'

const NO_ROOM = new Set(['SQLITE_FULL', 'ENOSPC', 'EDQUOT'])

/** Whether the system or SQLite had no room, also when another error says it in words. */
export function isNoRoom(error: unknown): boolean {
  return NO_ROOM.has(codeOf(error)) || (error instanceof Error && NO_ROOM.has(codeOf(error.cause)))
}

/** @param needBytes null: not known. Ask after what was written of the copy is gone. */
export function noRoomFor(copy: string, needBytes: number | null): FileRefusal {
  const disk = measureDisk(copy)
  const facts = [
    ...(needBytes === null ? [] : [`the copy needs about ${megabytes(needBytes)}`]),
    ...(disk === null ? [] : [`${megabytes(disk.freeBytes)} are free there`]),
  ].join(', and ')
  return new FileRefusal(
    `There is no room for ${copy} on its disk${facts === '' ? '' : `: ${facts}`}. Make room on that disk, or use another one. Nothing of the copy was kept.`,
  )
}

const megabytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MB`

// The thread for work on files, separate from the relay's own: one task, one answer, at the lowest priority.
import { constants, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { codeOf } from '#shared/code-of.ts'
import { FileRefusal } from './file-refusal.ts'
import { type FileTask, runTask } from './file-tasks.ts'

// On Linux this is of the thread alone.
setPriority(0, constants.priority.PRIORITY_LOW)

try {
  parentPort?.postMessage({ answer: await runTask(workerData as FileTask) })
} catch (error) {
  if (!(error instanceof FileRefusal) && !isOfDisk(error)) throw error
  parentPort?.postMessage({ refusal: error instanceof Error ? error.message : 'unknown' })
}

/** From the disk, or SQLite: a full disk, no permission, a damaged page. */
function isOfDisk(error: unknown): boolean {
  return /^(E[A-Z]+|SQLITE_\w+)$/.test(codeOf(error))
}

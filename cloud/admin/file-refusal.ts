// Refusals of work on database files are the operator's to read.
import { FileRefusal } from '#cloud/backup/file-refusal.ts'
import { EXIT, LineError } from '#shared/cli/command.ts'

/** @throws LineError in the words of the FileRefusal */
export async function told<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof FileRefusal) throw new LineError(error.message, EXIT.failed, { cause: error })
    throw error
  }
}

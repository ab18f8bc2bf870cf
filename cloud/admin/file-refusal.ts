// Refusals of work on database files are the operator's to read.
import { FileRefusal } from '#cloud/backup/file-refusal.ts'
import { AdminError } from './command.ts'

/** @throws AdminError in the words of the FileRefusal */
export async function told<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof FileRefusal) throw new AdminError(error.message, { cause: error })
    throw error
  }
}

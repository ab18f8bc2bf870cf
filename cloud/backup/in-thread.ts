// Runs a task on a database file in a thread of its own, so that a relay of the same process goes on taking orders.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { FileFacts } from './file-facts.ts'
import { FileRefusal } from './file-refusal.ts'
import type { Compared, Copied, FileTask, Verified } from './file-tasks.ts'
import type { StoredByAccount } from './storage-report.ts'

type AnswerOf<T extends FileTask> = T extends { do: 'copy' }
  ? Copied
  : T extends { do: 'verify' }
    ? Verified
    : T extends { do: 'sound' }
      ? Pick<Verified, 'faults'>
      : T extends { do: 'stored-by-account' }
        ? StoredByAccount[]
        : T extends { do: 'facts' }
          ? FileFacts
          : Compared

/** @throws FileRefusal in words for the operator */
export async function inThread<T extends FileTask>(task: T): Promise<AnswerOf<T>> {
  // No execArgv: Node reads TypeScript by itself, and a test runner's loader has no business here.
  const worker = new Worker(new URL('./file-worker.ts', import.meta.url), { workerData: task, execArgv: [] })
  const [[said]] = (await Promise.all([once(worker, 'message'), once(worker, 'exit')])) as [
    [{ answer: AnswerOf<T> } | { refusal: string }],
    unknown,
  ]
  if ('refusal' in said) throw new FileRefusal(said.refusal)
  return said.answer
}

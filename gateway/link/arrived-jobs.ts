// Messages of the stream as they arrived in one turn, and which of them are taken in one commit.
import type { DownMessage, JobMessage, MessageOf } from '#shared/wire/gateway-link.ts'

type Sequenced = MessageOf<DownMessage, 'job' | 'skip' | 'cancel'>

export interface Arrived {
  message: Sequenced
  isSealed: boolean
}

/** The jobs of our stream that follow each other, proven alike. */
export function jobsFrom(inbox: readonly Arrived[], stream: string, isSealed: boolean): JobMessage[] {
  const jobs: JobMessage[] = []
  for (const { message, isSealed: isThis } of inbox) {
    if (message.t !== 'job' || message.stream !== stream || isThis !== isSealed) break
    jobs.push(message)
  }
  return jobs
}

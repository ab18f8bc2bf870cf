// What each of the compared systems can be asked to do: take a ticket, say what became of it, die and come back.

/** What a system says of a ticket that it took. */
export type Said = 'printed' | 'waiting' | 'failed'

export interface PrintSystem {
  readonly name: string
  /** It keeps nothing: a ticket that cannot be sent at once is the caller's business. */
  readonly hasNoQueue?: boolean
  start(printerPort: number): Promise<void>
  /** Resolves with its id when the system has taken the ticket. */
  submit(token: string, ticket: Uint8Array): Promise<string>
  says(id: string): Promise<Said>
  /** The newest tickets' waits from their arrival at the box that prints, milliseconds; absent: submitting is arriving there. */
  boxWaits?(count: number): Promise<number[]>
  /** Of the newest tickets: from their last byte, taken by the operating system, to their proof, milliseconds. Absent: there is no proof. */
  proofWaits?(count: number): Promise<number[]>
  /** SIGKILL, and a start again. */
  killAndRestart(): Promise<void>
  stop(): Promise<void>
}

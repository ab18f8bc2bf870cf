// The life of a long-lived part. Constructors do nothing; start and stop tolerate being called twice or never.

export interface Service {
  start(): Promise<void>
  /** Finishes or hands back what it holds, closes what it opened. Called in the reverse order of start. */
  stop(): Promise<void>
}

// A gateway without printers, for the restore drill: it stores its jobs, reports them as printed, and hands back what the relay has lost.
import { randomUUID } from 'node:crypto'
import { connect, type MqttClient } from 'mqtt'
import { type Cancel, systemClock } from '#shared/clock.ts'
import { openText, sealText } from '#shared/link-seal.ts'
import {
  CAP_DIGEST,
  CAP_ORDER_DETAILS,
  CAP_PRINT_JOBS,
  type DownMessage,
  downMessage,
  type LinkTopics,
  PROTOCOL,
} from '#shared/wire/gateway-link.ts'
import { CAP_HAND_BACK } from '#shared/wire/hand-back.ts'
import { ReceivedJobs } from './received-jobs.ts'

const REPORT_AGAIN_MS = 1_000

export interface SimulatedPairing {
  gatewayId: string
  token: string
  topics: LinkTopics
}

export class SimulatedGateway {
  readonly received = new ReceivedJobs()
  readonly #pairing: SimulatedPairing
  readonly #stream = randomUUID()
  readonly #bootId = randomUUID()
  #epoch = 0
  #client: MqttClient | null = null
  /** Jobs whose result the relay has not stored yet: it is reported again, as a box does. */
  readonly #unreported = new Set<string>()
  #cancelReports: Cancel = () => {}

  constructor(pairing: SimulatedPairing) {
    this.#pairing = pairing
  }

  async connect(mqttPort: number): Promise<void> {
    const { gatewayId, token, topics } = this.#pairing
    this.#epoch++
    const client = connect(`mqtt://127.0.0.1:${mqttPort}`, {
      clientId: gatewayId,
      username: gatewayId,
      password: token,
    })
    this.#client = client
    await new Promise<void>((resolve, reject) => {
      client.once('connect', () => resolve())
      client.once('error', reject)
    })
    client.on('message', (_topic, payload) => this.#hear(payload))
    await client.subscribeAsync([topics.down, topics.all], { qos: 1 })
    this.#cancelReports = systemClock.every(REPORT_AGAIN_MS, () => {
      for (const jobId of this.#unreported) this.#report(jobId)
    })
    this.#hello()
  }

  async leave(): Promise<void> {
    this.#cancelReports()
    await this.#client?.endAsync(true)
    this.#client = null
  }

  #hear(payload: Buffer): void {
    const message = downMessage.safeParse(openText(payload).json).data
    if (message?.t === 'job') this.#take(message)
    if (message?.t === 'recall') this.#handBack(message)
    // The relay no longer has this gateway's position in the stream: it lost the answer to a COMMIT together with its database server.
    if (message?.t === 'rehello') this.#hello()
    if (message?.t === 'rack') for (const jobId of message.jobIds) this.#unreported.delete(jobId)
  }

  #hello(): void {
    const caps = [CAP_DIGEST, CAP_PRINT_JOBS, CAP_ORDER_DETAILS, CAP_HAND_BACK]
    const own = { stream: this.#stream, last: this.received.last, bootId: this.#bootId, bootEpoch: 1 }
    this.#say({ t: 'hello', proto: PROTOCOL, ...own, app: 'drill/1', cfgVer: 0, caps, t0: 0, unreported: 0 })
  }

  #take(job: Extract<DownMessage, { t: 'job' }>): void {
    this.received.take(job)
    this.#say({ t: 'ack', stream: this.#stream, last: this.received.last })
    this.#report(job.jobId)
  }

  #handBack({ after, upTo }: Extract<DownMessage, { t: 'recall' }>): void {
    // All is stored: the outcomes again.
    if (after === upTo) for (const { jobId } of this.received.all) this.#report(jobId)
    const jobs = this.received.all.slice(after, upTo).map(({ jobId, seq, doc, notBefore, expiresAt }) => {
      return { jobId, seq, doc, notBefore, expiresAt }
    })
    if (after < upTo) this.#say({ t: 'hand-back', stream: this.#stream, after, upTo, jobs })
  }

  #report(jobId: string): void {
    this.#unreported.add(jobId)
    const now = systemClock.now()
    const proof = { state: 'printed', attempts: 1, confirmation: 'confirmed', method: 'gs-r', possibleDuplicate: false }
    const times = { firstByteAtMs: now, printedAtMs: now, reason: null }
    const ticket = { ticketId: `${jobId}-1`, printerId: 'drill', printerName: 'Drill', ...proof, ...times }
    const result = { jobId, state: 'printed', startedAt: now, endedAt: now, reason: null, tickets: [ticket] }
    this.#say({ t: 'result', ...result })
  }

  #say(body: object): void {
    const envelope = { v: 1, id: randomUUID(), ts: systemClock.now(), e: this.#epoch }
    this.#client?.publish(this.#pairing.topics.up, sealText(JSON.stringify({ ...envelope, ...body })), { qos: 1 })
  }
}

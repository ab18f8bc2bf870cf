// A telephone company that is not there: its hooks are signed and read as Twilio's, so that the whole real path runs; nobody is dialled, and no text leaves.
import { createHash } from 'node:crypto'
import {
  type CallStep,
  type HookAnswer,
  type HookNews,
  type HookRequest,
  type HookStep,
  NotSupported,
  type Telephony,
  TelephonyError,
  type WiredNumber,
} from '#cloud/telephony/telephony.ts'
import { readTwilioForm } from '#cloud/telephony/twilio/read-hook.ts'
import { isFromTwilio, type TwilioAccount, twilioSignature } from '#cloud/telephony/twilio/signature.ts'
import { type RenderedAt, renderTwiml } from '#cloud/telephony/twilio/twiml.ts'
import { KeptRecordings, type KeptRecordingsDeps } from './kept-recordings.ts'

export interface SimulatedTelephonyDeps extends KeptRecordingsDeps {
  /** Keyed by the master key: without it nobody can sign a hook. */
  mac: (purpose: string, text: string) => string
  /** It tells the text of a message beside its recording. */
  transcribes: boolean
  /** Whether another number of this relay has it. @param name the number that asks */
  isTaken: (e164: string, name: string) => Promise<boolean>
}

/** Area codes whose 555-0100 to 555-0199 are kept free for fiction, tried when those of the wanted one are taken. */
const MORE_AREAS = ['202', '212', '213', '312', '415', '512', '602', '617', '702', '713', '818', '917']
const NUMBERS_OF_AREA = 100

export class SimulatedTelephony implements Telephony {
  readonly provider = 'simulator'
  readonly keepsTexts = true
  readonly recordings: KeptRecordings
  readonly #deps: SimulatedTelephonyDeps
  readonly #account: TwilioAccount

  constructor(deps: SimulatedTelephonyDeps) {
    this.#deps = deps
    this.recordings = new KeptRecordings(deps)
    this.#account = {
      account: `AC${deps.mac('simulated telephone company', 'account').slice(0, 32)}`,
      token: deps.mac('simulated telephone company', 'token'),
      header: SIMULATOR_SIGNATURE,
    }
  }

  /** Fields and headers of a hook as this company sends them. */
  signed(url: string, fields: ReadonlyArray<readonly [string, string]>): SignedHook {
    const form = [...fields, ['AccountSid', this.#account.account] as const]
    const signature = twilioSignature(this.#account.token, url, form)
    return {
      headers: { 'content-type': 'application/x-www-form-urlencoded', [SIMULATOR_SIGNATURE]: signature },
      body: new URLSearchParams(form.map(([name, value]): [string, string] => [name, value])).toString(),
    }
  }

  verify(request: HookRequest): boolean {
    return isFromTwilio(this.#account, request)
  }

  read(step: HookStep, request: HookRequest): HookNews | null {
    return readTwilioForm(step, request)
  }

  render(steps: readonly CallStep[], at: RenderedAt): HookAnswer {
    return renderTwiml(steps, at, { asksWhenEmpty: true, whispers: true, transcribes: this.#deps.transcribes })
  }

  /** A number for fiction that no other of this relay has: the same for the same name, as long as it is free. */
  async provision(wanted: { areaCode: string } | { number: string }, { name }: { name: string }): Promise<WiredNumber> {
    const e164 = 'number' in wanted ? wanted.number : await this.#free(wanted.areaCode, name)
    if (e164 === null) throw new TelephonyError('no_number')
    if (await this.#deps.isTaken(e164, name)) throw new TelephonyError('number_taken', { isTransient: true })
    return { e164, providerId: `PN${createHash('sha256').update(name).digest('hex').slice(0, 32)}` }
  }

  async unwire(): Promise<void> {}

  /** Never called: `keepsTexts`. */
  async sendText(): Promise<never> {
    throw new NotSupported()
  }

  async findTexts(): Promise<readonly string[]> {
    return []
  }

  async fetchRecording(recordingId: string, { most }: { most: number }): Promise<{ type: string; bytes: Buffer }> {
    const bytes = await this.recordings.fetch(recordingId)
    if (bytes.length > most) throw new TelephonyError('too_long')
    return { type: 'audio/wav', bytes }
  }

  deleteRecording(recordingId: string): Promise<void> {
    return this.recordings.delete(recordingId)
  }

  /** A call of the simulator ends with the program that makes it, and nobody keeps it. */
  async callState(): Promise<null> {
    return null
  }

  async #free(areaCode: string, name: string): Promise<string | null> {
    const begin = createHash('sha256').update(name).digest().readUInt32BE()
    for (const area of [areaCode, ...MORE_AREAS]) {
      for (let i = 0; i < NUMBERS_OF_AREA; i++) {
        const e164 = `+1${area}55501${String((begin + i) % NUMBERS_OF_AREA).padStart(2, '0')}`
        if (!(await this.#deps.isTaken(e164, name))) return e164
      }
    }
    return null
  }
}

/** Another than Twilio's: a hook says by it whose it is. */
export const SIMULATOR_SIGNATURE = 'x-simulator-signature'

export interface SignedHook {
  headers: Record<string, string>
  body: string
}

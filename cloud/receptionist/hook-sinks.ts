// Who takes what a telephone company tells beside calls: recordings and text messages. The hook routes know only this.
import type { HookRecording, HookText } from '#cloud/telephony/telephony.ts'
import type { MerchantKey, PhoneNumberId } from '#shared/ids.ts'

/** The number whose hook it came to. The request was verified. */
export interface HookNumber {
  id: PhoneNumberId
  merchantKey: MerchantKey
  /** E.164; null: it is not known yet. */
  e164: string | null
}

export interface HookSinks {
  /** Resolves when it is on disk. A repetition changes nothing. */
  recording(number: HookNumber, recording: HookRecording): Promise<void>
  /** As `recording`. The answer to the hook says nothing: a text that goes back is one of the outbox. */
  text(number: HookNumber, text: HookText): Promise<null>
}

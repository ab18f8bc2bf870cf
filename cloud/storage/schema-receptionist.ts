// Tables of the voice receptionist: numbers, calls, voicemails, requests for a table; conventions as in schema.ts. A `_mac` is the keyed hash of a number in E.164, by which a caller is found.
import type {
  AppointmentId,
  CallId,
  KnowledgeId,
  MerchantKey,
  PhoneNumberId,
  ServiceOrderId,
  UserId,
  VoicemailId,
} from '#shared/ids.ts'

/** A telephone number that the receptionist answers. The row is the job that wires it. */
export interface PhoneNumbersTable {
  id: PhoneNumberId
  merchant_id: MerchantKey
  provider: 'simulator' | 'twilio' | 'telnyx'
  /** JSON: `{"areaCode": "212"}` or `{"number": "+12125550100"}`. */
  wanted: string
  /** Null until it is known. */
  e164: string | null
  /** The provider's id of the number. */
  provider_id: string | null
  state: 'wanted' | 'wiring' | 'wired' | 'failed' | 'unwiring'
  /** A class such as `no_number`; null: nothing went wrong. */
  error: string | null
  attempts: number
  /** When it is worked on next; null: not by itself. */
  next_at: number | null
  wired_at: number | null
  created_at: number
}

export interface ReceptionistProfilesTable {
  merchant_id: MerchantKey
  /** JSON as in cloud/receptionist/profile.ts. */
  profile: string
  /** Goes up with every change: a change names the version that it was made on. */
  version: number
  updated_at: number
}

export interface KnowledgeEntriesTable {
  id: KnowledgeId
  merchant_id: MerchantKey
  question: string
  answer: string
  /** JSON array of words. */
  tags: string
  enabled: number
  /** How often a caller was answered with it. */
  hits: number
  /** 1 when it was made; each change makes the next. */
  version: number
  created_at: number
  updated_at: number
}

export interface CallsTable {
  id: CallId
  merchant_id: MerchantKey
  number_id: PhoneNumberId
  /** The provider's id of the call. */
  provider_id: string
  /** The caller's number, sealed; null: withheld, or erased. */
  from_enc: string | null
  from_mac: string | null
  to_e164: string
  status: 'ringing' | 'in_progress' | 'transferring' | 'voicemail' | 'completed' | 'missed' | 'failed'
  /** Where the conversation is, as in cloud/receptionist/call-state.ts. */
  step: string
  /** JSON of the call's state, sealed: it has what the caller said. */
  state_enc: string
  started_at: number
  answered_at: number | null
  ended_at: number | null
  /** The last event of it. */
  last_at: number
  /** How it ended, as in cloud/receptionist/call-state.ts; null: it has not. */
  outcome: string | null
  transferred_to: string | null
  order_id: ServiceOrderId | null
  /** When what was said was deleted. */
  text_deleted_at: number | null
}

/** What was said in a call, in turns. */
export interface CallTurnsTable {
  call_id: CallId
  ordinal: number
  who: 'caller' | 'receptionist'
  text_enc: string
  /** In percent, by the provider's speech recognition; null: not known, or it was said by the receptionist. */
  confidence: number | null
  at: number
}

/** Hooks of a provider that were answered: a repetition gets the same bytes. */
export interface CallInputsTable {
  provider_id: string
  step: string
  sequence: string
  /** JSON of type and body, sealed. */
  answer_enc: string
  at: number
}

/** A recording. The row is the job that fetches it, and for a voicemail turns it into text. */
export interface VoicemailsTable {
  id: VoicemailId
  merchant_id: MerchantKey
  number_id: PhoneNumberId
  /** Null: the call is not known here, such as after a restore. */
  call_id: CallId | null
  /** `call`: the whole call was recorded. */
  kind: 'voicemail' | 'call'
  /** The provider's id of it. */
  recording_id: string
  state: 'recorded' | 'fetched' | 'transcribed' | 'no_transcript'
  /** 0: nothing was said, and there is nothing to hear. */
  seconds: number
  /** Name within CLOUD_MEDIA_DIR; null: not fetched, or deleted. */
  file: string | null
  /** Until it is `transcribed`: the provider's text, if any. */
  text_enc: string | null
  /** In percent; null: not known. */
  confidence: number | null
  /** 1: the text may be wrong, and says so. */
  uncertain: number
  /** What made the text. */
  engine: string | null
  attempts: number
  error: string | null
  next_at: number | null
  lease_until: number | null
  lease_by: string | null
  done_by: UserId | null
  done_at: number | null
  audio_deleted_at: number | null
  text_deleted_at: number | null
  /** When the provider's copy was deleted. */
  provider_deleted_at: number | null
  created_at: number
}

/** A table that a caller asks for. A person says yes or no to it. */
export interface AppointmentRequestsTable {
  id: AppointmentId
  merchant_id: MerchantKey
  call_id: CallId
  /** JSON of name, party, time in the caller's words, number; sealed. */
  details_enc: string
  phone_mac: string | null
  state: 'new' | 'done'
  done_by: UserId | null
  done_at: number | null
  created_at: number
}

// Hooks of Twilio's form as our events. Telnyx's TeXML and the simulator have the same fields.
import { z } from 'zod'
import { type HookMark, markOf, textOf, turnOf } from '#cloud/telephony/hook-address.ts'
import type { CallEvent, HookNews, HookRequest, HookStep, HookText } from '#cloud/telephony/telephony.ts'

/** An id of the provider: it goes into addresses and the database. */
const id = z.string().regex(/^[A-Za-z0-9_:.-]{1,128}$/)
/** What may be missing is often sent empty. */
const seconds = z
  .string()
  .regex(/^\d{1,6}$/)
  .transform(Number)
const number = z.string().regex(/^\+[1-9]\d{1,14}$/)
const words = z
  .string()
  .max(8_192)
  .transform((text) => withoutControls(text).trim())

const call = { CallSid: id }
const forms = {
  answer: z.object({ ...call, From: z.string().max(256).optional(), To: number, CallerName: words.optional() }),
  gather: z.object({
    ...call,
    SpeechResult: words.optional(),
    Confidence: z.coerce.number().min(0).max(1).optional().catch(undefined),
    Digits: z.string().max(64).optional(),
  }),
  dial: z.object({ ...call, DialCallStatus: z.string().max(32) }),
  /** Of the call to the person. */
  answered: z.object({ CallSid: id, ParentCallSid: id }),
  recorded: z.object({ ...call, RecordingSid: id.optional(), RecordingDuration: seconds.optional() }),
  recording: z.object({
    ...call,
    RecordingSid: id,
    RecordingStatus: z.string().max(32).optional(),
    RecordingDuration: seconds.optional(),
    TranscriptionStatus: z.string().max(32).optional(),
    TranscriptionText: z
      .string()
      .max(65_536)
      .transform((text) => withoutControls(text).trim())
      .optional(),
  }),
  status: z.object({ ...call, CallStatus: z.string().max(32), SequenceNumber: seconds.optional() }),
  sms: z.object({
    MessageSid: id,
    From: z.string().max(256).optional(),
    To: z.string().max(256).optional(),
    Body: z.string().max(65_536).optional(),
    MessageStatus: z.string().max(32).optional(),
    ErrorCode: z
      .string()
      .regex(/^\d{0,8}$/)
      .optional(),
  }),
} as const

const turn = z.string({ error: 'the address has no turn' })

/** @returns null: news that say nothing to us. @throws ZodError, also when a field that is read is there twice */
export function readTwilioForm(step: HookStep, request: HookRequest): HookNews | null {
  const fields = fieldsOf(request.form)
  const { url } = request
  switch (step) {
    case 'answer': {
      const form = forms.answer.parse(fields)
      const event = { from: callerOf(form.From), to: form.To, callerName: form.CallerName || null }
      return aboutCall(form.CallSid, 'answer', { kind: 'incoming', ...event })
    }
    case 'gather': {
      const form = forms.gather.parse(fields)
      return aboutCall(form.CallSid, turn.parse(turnOf(url)), inputOf(form, markOf(url)))
    }
    case 'dial':
      return dialOf(fields, url)
    case 'recording':
      return turnOf(url) === null ? recordingOf(forms.recording.parse(fields), markOf(url)) : recordedOf(fields, url)
    case 'status': {
      const form = forms.status.parse(fields)
      const status = CALL_STATES[form.CallStatus]
      if (status === undefined) return null
      return aboutCall(form.CallSid, `${form.SequenceNumber ?? ''}${status}`, { kind: 'status', status })
    }
    case 'sms':
      return smsOf(forms.sms.parse(fields), url)
    // It is asked when another hook could not be: its answer is always the same.
    case 'fallback':
      return null
  }
}

function aboutCall(providerCallId: string, sequence: string, event: CallEvent): HookNews {
  return { about: 'call', call: { providerCallId, sequence, event } }
}

function inputOf(form: z.infer<typeof forms.gather>, mark: HookMark | null): CallEvent {
  if (mark === 'wait') return { kind: 'silence' }
  const digits = (form.Digits ?? '').replace(/[^0-9*#]/g, '')
  if (digits !== '') return { kind: 'digits', digits }
  const text = form.SpeechResult ?? ''
  return text === '' ? { kind: 'silence' } : { kind: 'speech', text, confidence: form.Confidence ?? null }
}

/** The person has picked up, or the conversation with them is over: both come back with the turn of the dial. */
function dialOf(fields: Fields, url: string): HookNews {
  const sequence = turn.parse(turnOf(url))
  if (markOf(url) === 'answered') {
    const { ParentCallSid } = forms.answered.parse(fields)
    return aboutCall(ParentCallSid, `${sequence} answered`, { kind: 'dial', outcome: 'answered' })
  }
  const { CallSid, DialCallStatus } = forms.dial.parse(fields)
  return aboutCall(CallSid, sequence, { kind: 'dial', outcome: DIALS[DialCallStatus] ?? 'failed' })
}

function recordedOf(fields: Fields, url: string): HookNews {
  const { CallSid, RecordingSid, RecordingDuration: length = 0 } = forms.recorded.parse(fields)
  const isThere = markOf(url) !== 'nothing' && length > 0 && RecordingSid !== undefined
  const recorded = isThere ? { recordingId: RecordingSid, seconds: length } : { recordingId: null, seconds: 0 }
  return aboutCall(CallSid, turn.parse(turnOf(url)), { kind: 'recorded', ...recorded })
}

function recordingOf(form: z.infer<typeof forms.recording>, mark: HookMark | null): HookNews | null {
  const { CallSid: providerCallId, RecordingSid: recordingId } = form
  const kind = mark === 'call' ? 'call' : 'voicemail'
  if (form.TranscriptionStatus !== undefined) {
    const text = form.TranscriptionText ?? ''
    if (form.TranscriptionStatus !== 'completed' || text === '') return null
    return { about: 'recording', recording: { providerCallId, recordingId, seconds: null, kind, text } }
  }
  if (form.RecordingStatus !== 'completed') return null
  const length = form.RecordingDuration ?? 0
  return { about: 'recording', recording: { providerCallId, recordingId, seconds: length, kind, text: null } }
}

function smsOf(form: z.infer<typeof forms.sms>, url: string): HookNews | null {
  const { MessageSid: providerId, MessageStatus: state } = form
  if (state !== undefined) {
    const status = TEXT_STATES[state]
    if (status === undefined) return null
    const error = status === 'failed' ? (form.ErrorCode ? `code_${form.ErrorCode}` : 'not_delivered') : null
    return { about: 'text', text: { kind: 'status', providerId, textId: textOf(url), status, error } }
  }
  const [from, to] = [callerOf(form.From), callerOf(form.To)]
  // Of a sender that cannot be answered, such as a name.
  if (from === null || to === null) return null
  return { about: 'text', text: { kind: 'incoming', providerId, from, to, text: withoutControls(form.Body ?? '') } }
}

type CallStatus = Extract<CallEvent, { kind: 'status' }>['status']

/** Of a call, in the provider's words. */
export const CALL_STATES: Readonly<Record<string, CallStatus>> = {
  queued: 'ringing',
  initiated: 'ringing',
  ringing: 'ringing',
  'in-progress': 'in_progress',
  completed: 'completed',
  busy: 'missed',
  'no-answer': 'missed',
  canceled: 'missed',
  failed: 'failed',
}

/** When the action of a dial is asked, the conversation is over. */
const DIALS: Readonly<Record<string, Extract<CallEvent, { kind: 'dial' }>['outcome']>> = {
  completed: 'ended',
  answered: 'ended',
  busy: 'busy',
  'no-answer': 'no-answer',
  canceled: 'no-answer',
  failed: 'failed',
}

const TEXT_STATES: Readonly<Record<string, Extract<HookText, { kind: 'status' }>['status']>> = {
  sent: 'sent',
  delivered: 'delivered',
  read: 'delivered',
  undelivered: 'failed',
  failed: 'failed',
  canceled: 'failed',
}

/** Numbers that Twilio gives for a caller who withholds theirs: the words ANONYMOUS, RESTRICTED, BLOCKED and UNAVAILABLE on a dial. */
const WITHHELD = new Set(['+266696687', '+7378742833', '+2562533', '+86282452253'])

/** E.164; null: withheld, or no number of the telephone network. */
function callerOf(from: string | undefined): string | null {
  if (from === undefined || WITHHELD.has(from)) return null
  return /^\+[1-9]\d{6,14}$/.test(from) ? from : null
}

type Fields = Record<string, string | string[]>

/** A name that is there twice has a list: no field that is read allows it. */
function fieldsOf(form: HookRequest['form']): Fields {
  const fields = Object.create(null) as Fields
  for (const [name, value] of form) fields[name] = name in fields ? [fields[name] ?? '', value].flat() : value
  return { ...fields }
}

/** Control characters and halves of pairs are nobody's words. Line ends become spaces. */
function withoutControls(text: string): string {
  return text.toWellFormed().replace(/\p{Cc}+/gu, ' ')
}

// Branded identifiers: a prefix that names the thing and 26 base32 characters, of a UUIDv7 or of a time and a hash, so ids sort by time.
import { hash, randomUUID } from 'node:crypto'

declare const brand: unique symbol
export type Id<P extends string> = string & { readonly [brand]: P }

export type ServiceOrderId = Id<'ord'>
/** One dispatch from the relay to a gateway: an order's tickets, or a single print job. The API calls it `printJobId`. */
export type PrintJobId = Id<'pj'>
export type EventId = Id<'evt'>
export type DeliveryId = Id<'dlv'>
export type AttemptId = Id<'att'>
export type WebhookId = Id<'we'>
export type KeyId = Id<'key'>
export type AccountId = Id<'acc'>
/** The relay's own id of a merchant; clients see the public `M-...` id. */
export type MerchantKey = Id<'mer'>
export type LocationId = Id<'loc'>
export type GatewayId = Id<'gw'>
export type RefundId = Id<'rfd'>
export type InvoiceId = Id<'inv'>
/** A printer that the cloud proposes to a gateway. */
export type CloudPrinterId = Id<'cp'>
/** One message to an outside point of sale. */
export type PosMessageId = Id<'pos'>
/** A person who signs in to the dashboard. */
export type UserId = Id<'usr'>
/** One browser of a person that is signed in. */
export type SignInId = Id<'sin'>
/** A code that was sent by mail, or shown as a link. */
export type CodeId = Id<'cod'>
/** A program that asks a person for an API key. */
export type DeviceSignInId = Id<'dsi'>
/** A mail that leaves, or has left. */
export type NoticeId = Id<'ntc'>
/** Something that is wrong, from when it began until it is over. */
export type AlertId = Id<'alr'>
/** A passkey, as its owner's list shows it. */
export type PasskeyId = Id<'psk'>
/** A telephone number that the receptionist answers. */
export type PhoneNumberId = Id<'num'>
/** A question that the receptionist knows the answer to. */
export type KnowledgeId = Id<'kn'>
export type CallId = Id<'call'>
/** A voicemail, or the recording of a whole call. */
export type VoicemailId = Id<'vm'>
/** A table that a caller asks for. */
export type AppointmentId = Id<'apt'>
/** A text message that leaves, or has left. */
export type TextId = Id<'txt'>

export type IdPrefix =
  | 'ord'
  | 'pj'
  | 'evt'
  | 'dlv'
  | 'att'
  | 'we'
  | 'key'
  | 'req'
  | 'acc'
  | 'mer'
  | 'loc'
  | 'gw'
  | 'rfd'
  | 'inv'
  | 'pos'
  | 'cp'
  | 'usr'
  | 'sin'
  | 'cod'
  | 'dsi'
  | 'ntc'
  | 'alr'
  | 'psk'
  | 'num'
  | 'kn'
  | 'call'
  | 'vm'
  | 'apt'
  | 'txt'

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/**
 * A new id such as `ord_01jd...`: 48 bits of `nowMs`, version and variant bits, 74 random bits.
 * Lower case Crockford base32, so it is safe in URLs and in MQTT topics.
 */
export function newId<P extends IdPrefix>(prefix: P, nowMs: number): Id<P> {
  // A random UUID has the 74 random bits and the variant in place, and Node keeps a stock of them: a fifth of the price of randomBytes.
  const bytes = Buffer.from(randomUUID().replaceAll('-', ''), 'hex')
  bytes.writeUIntBE(nowMs, 0, 6)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6)
  return `${prefix}_${base32(bytes)}` as Id<P>
}

/**
 * An id derived from `text`: the same text and time give the same id, on every machine. 48 bits of `ms`, then 80 of the SHA-256 of the text.
 * The time must belong to what it is about; it keeps ids of one hour side by side in an index.
 */
export function derivedId<P extends IdPrefix>(prefix: P, ms: number, text: string): Id<P> {
  const bytes = Buffer.alloc(16)
  bytes.writeUIntBE(Math.min(Math.max(0, Math.floor(ms)), 2 ** 48 - 1), 0, 6)
  // As a text of one byte a letter: making a Buffer of it costs three times the hash.
  bytes.write(hash('sha256', text, 'binary'), 6, 10, 'latin1')
  return `${prefix}_${base32(bytes)}` as Id<P>
}

/** The time in an id, epoch ms: of `newId` when it was made. */
export function timeOfId(id: Id<IdPrefix>): number {
  const begin = id.indexOf('_') + 1
  let ms = 0
  for (let i = begin; i < begin + 10; i++) ms = ms * 32 + ALPHABET.indexOf(id.charAt(i))
  return ms
}

/** No id of this kind that was made at `ms` or later is smaller: the bound of a range of ids by time. */
export function firstId<P extends IdPrefix>(prefix: P, ms: number): Id<P> {
  const bytes = Buffer.alloc(16)
  bytes.writeUIntBE(Math.min(Math.max(0, Math.floor(ms)), 2 ** 48 - 1), 0, 6)
  return `${prefix}_${base32(bytes)}` as Id<P>
}

/** 128 bits as 26 characters, most significant first; the first character carries only 3 bits. */
function base32(bytes: Buffer): string {
  let out = ''
  let bits = 2
  let buffer = 0
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      out += ALPHABET.charAt((buffer >> bits) & 31)
    }
    buffer &= (1 << bits) - 1
  }
  return out
}

/** True for text of the form that `newId(prefix)` makes. Does not check whether the thing exists. */
export function isId<P extends IdPrefix>(prefix: P, text: string): text is Id<P> {
  return (
    text.length === prefix.length + 27 &&
    text.startsWith(`${prefix}_`) &&
    /^[0-9a-hjkmnp-tv-z]{26}$/.test(text.slice(prefix.length + 1))
  )
}

/** Text that is known to be an id of this kind: from our own storage, a checked message or a test. Checks nothing. */
export function asId<P extends IdPrefix>(text: string): Id<P> {
  return text as Id<P>
}

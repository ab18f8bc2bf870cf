// A certificate of the box's own making: an X.509 structure of one fixed form, written as DER (RFC 5280) and signed with a new key. Pure but for chance.
import { generateKeyPair, randomBytes, sign } from 'node:crypto'
import { isIP, isIPv4 } from 'node:net'
import { promisify } from 'node:util'
import type { KeyAndCertificate } from '#shared/certificate/certificate-files.ts'
import { toIso } from '#shared/clock.ts'

export interface SelfSignedFacts {
  /** Host names and IP addresses, as a browser may write them; the first is also the certificate's subject. Others are left out. */
  names: readonly string[]
  fromMs: number
  /** Whole seconds count. */
  untilMs: number
}

/** ECDSA with P-256: known to every browser since 2013, and made in a millisecond where RSA takes a second. */
export async function selfSigned({ names, fromMs, untilMs }: SelfSignedFacts): Promise<KeyAndCertificate> {
  const { privateKey, publicKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'prime256v1' })
  const known = names.filter((name) => isIP(name) !== 0 || HOST_NAME.test(name))
  const subject = distinguishedName(known[0] ?? 'localhost')
  const signed = sequence(
    tlv(CONTEXT_0, tlv(INTEGER, Buffer.from([X509_V3]))),
    // Another one each time: browsers refuse a second certificate of the same issuer and number.
    tlv(INTEGER, serialNumber()),
    sequence(oid(ECDSA_WITH_SHA256)),
    subject,
    sequence(time(fromMs), time(untilMs)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    tlv(
      CONTEXT_3,
      sequence(
        // It vouches for no other certificate, whoever may be made to trust it.
        extension(BASIC_CONSTRAINTS, true, sequence()),
        extension(KEY_USAGE, true, tlv(BIT_STRING, DIGITAL_SIGNATURE)),
        extension(EXTENDED_KEY_USAGE, false, sequence(oid(SERVER_AUTH))),
        extension(SUBJECT_ALT_NAME, false, sequence(...known.map(generalName))),
      ),
    ),
  )
  const signature = sign('sha256', signed, { key: privateKey, dsaEncoding: 'der' })
  const whole = sequence(signed, sequence(oid(ECDSA_WITH_SHA256)), tlv(BIT_STRING, NO_UNUSED_BITS, signature))
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: `-----BEGIN CERTIFICATE-----\n${lines(whole.toString('base64'))}-----END CERTIFICATE-----\n`,
  }
}

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_-]{1,63})*$/i

const [INTEGER, BIT_STRING, OCTET_STRING, OID, UTF8_STRING] = [0x02, 0x03, 0x04, 0x06, 0x0c]
const [UTC_TIME, GENERALIZED_TIME, SEQUENCE, SET, BOOLEAN] = [0x17, 0x18, 0x30, 0x31, 0x01]
const [CONTEXT_0, CONTEXT_3, DNS_NAME, IP_ADDRESS] = [0xa0, 0xa3, 0x82, 0x87]
const X509_V3 = 2
const NO_UNUSED_BITS = Buffer.from([0])
/** Bit 0, in a byte of which seven bits are unused. */
const DIGITAL_SIGNATURE = Buffer.from([7, 0x80])
const COMMON_NAME = '2.5.4.3'
const ORGANISATION = '2.5.4.10'
const KEY_USAGE = '2.5.29.15'
const SUBJECT_ALT_NAME = '2.5.29.17'
const BASIC_CONSTRAINTS = '2.5.29.19'
const EXTENDED_KEY_USAGE = '2.5.29.37'
const SERVER_AUTH = '1.3.6.1.5.5.7.3.1'
const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2'
const MOST_COMMON_NAME = 64
const FIRST_YEAR_BEYOND_UTC_TIME = 2050

function tlv(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([tag]), lengthOf(content), content])
}

function lengthOf({ length }: Uint8Array): Buffer {
  if (length < 0x80) return Buffer.from([length])
  const bytes = Buffer.from(length.toString(16).padStart(length > 0xff ? 4 : 2, '0'), 'hex')
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes])
}

function sequence(...parts: readonly Uint8Array[]): Buffer {
  return tlv(SEQUENCE, ...parts)
}

/** The first two numbers share a byte; the others have seven bits a byte, all but the last with the highest one set. */
function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number)
  const bytes = [first * 40 + second, ...rest].flatMap((number) => {
    const groups = [number & 0x7f]
    for (let left = number >> 7; left > 0; left >>= 7) groups.unshift((left & 0x7f) | 0x80)
    return groups
  })
  return tlv(OID, Buffer.from(bytes))
}

/** 127 bits; neither negative nor with a zero in front. */
function serialNumber(): Buffer {
  const bytes = randomBytes(16)
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40
  return bytes
}

function distinguishedName(name: string): Buffer {
  const part = (type: string, text: string): Buffer =>
    tlv(SET, sequence(oid(type), tlv(UTF8_STRING, Buffer.from(text))))
  return sequence(part(ORGANISATION, 'Ticketrail gateway'), part(COMMON_NAME, name.slice(0, MOST_COMMON_NAME)))
}

function time(ms: number): Buffer {
  const digits = `${toIso(ms).replaceAll(/[-:T]/g, '').slice(0, 14)}Z`
  return Number(digits.slice(0, 4)) < FIRST_YEAR_BEYOND_UTC_TIME
    ? tlv(UTC_TIME, Buffer.from(digits.slice(2)))
    : tlv(GENERALIZED_TIME, Buffer.from(digits))
}

function extension(type: string, isCritical: boolean, content: Buffer): Buffer {
  const critical = isCritical ? [tlv(BOOLEAN, Buffer.from([0xff]))] : []
  return sequence(oid(type), ...critical, tlv(OCTET_STRING, content))
}

function generalName(name: string): Buffer {
  if (isIP(name) === 0) return tlv(DNS_NAME, Buffer.from(name))
  return tlv(IP_ADDRESS, isIPv4(name) ? Buffer.from(name.split('.').map(Number)) : ipv6Bytes(name))
}

/** 16 bytes. The address parser of URLs writes an IPv4 tail as hexadecimal groups. */
function ipv6Bytes(address: string): Buffer {
  const [head = '', tail] = new URL(`http://[${address.replace(/%.*$/, '')}]/`).hostname.slice(1, -1).split('::')
  const groupsOf = (text: string): string[] => (text === '' ? [] : text.split(':'))
  const [before, after] = [groupsOf(head), groupsOf(tail ?? '')]
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return Buffer.from([...before, ...zeros, ...after].map((group) => group.padStart(4, '0')).join(''), 'hex')
}

function lines(base64: string): string {
  return base64.replaceAll(/.{1,64}/g, '$&\n')
}

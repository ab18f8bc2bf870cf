// A device with passkeys, in software: makes keys and signs as WebAuthn level 3 says (ES256, attestation "none"), and misbehaves as told.
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '#cloud/people/passkey-shapes.ts'

interface Credential {
  id: string
  key: KeyObject
  publicKey: Buffer
  userHandle: string
  counter: number
}

/** What is otherwise than the relay asked. */
export interface Misbehaviour {
  origin?: string
  /** The name that the key is bound to. */
  rpId?: string
  challenge?: string
  /** The person showed no finger, face or number. */
  isUnverified?: boolean
  /** Changes the signature. */
  isForged?: boolean
}

const [PRESENT, VERIFIED, MAY_BE_BACKED_UP, IS_BACKED_UP, HAS_KEY] = [1, 4, 8, 16, 64]

export class SoftwareAuthenticator {
  readonly origin: string
  readonly credentials: Credential[] = []
  readonly #counts: boolean

  /** @param counts false: a device whose counter is always 0, as those that share keys over a network */
  constructor(origin: string, counts = true) {
    this.origin = origin
    this.#counts = counts
  }

  /** Makes a key. */
  register(options: PublicKeyCredentialCreationOptionsJSON, wrong: Misbehaviour = {}): RegistrationResponseJSON {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    const id = randomBytes(32)
    const credential: Credential = {
      id: id.toString('base64url'),
      key: privateKey,
      publicKey: coseKey(x, y),
      userHandle: options.user.id,
      counter: 0,
    }
    this.credentials.push(credential)
    const rpId = wrong.rpId ?? options.rp.id ?? ''
    const length = Buffer.alloc(2)
    length.writeUInt16BE(id.length)
    const attested = Buffer.concat([Buffer.alloc(16), length, id, credential.publicKey])
    const authData = Buffer.concat([this.#head(rpId, HAS_KEY, credential.counter, wrong), attested])
    return {
      ...this.#named(credential),
      response: {
        clientDataJSON: this.#clientData('webauthn.create', options.challenge, wrong).toString('base64url'),
        attestationObject: attestation(authData).toString('base64url'),
        transports: ['internal'],
      },
    }
  }

  /** Signs with the key that is asked for, else with its newest. */
  answer(options: PublicKeyCredentialRequestOptionsJSON, wrong: Misbehaviour = {}): AuthenticationResponseJSON {
    const allowed = (options.allowCredentials ?? []).map(({ id }) => id)
    const credential = this.credentials.findLast(({ id }) => allowed.length === 0 || allowed.includes(id))
    if (credential === undefined) throw new Error('this device has no such passkey')
    if (this.#counts) credential.counter++
    const authData = this.#head(wrong.rpId ?? options.rpId ?? '', 0, credential.counter, wrong)
    const clientData = this.#clientData('webauthn.get', options.challenge, wrong)
    const signed = sign('sha256', Buffer.concat([authData, sha256(clientData)]), credential.key)
    if (wrong.isForged) signed.writeUInt8(signed.readUInt8(signed.length - 1) ^ 1, signed.length - 1)
    return {
      ...this.#named(credential),
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: signed.toString('base64url'),
        userHandle: credential.userHandle,
      },
    }
  }

  /** A copy of its keys as they are now, on another device. */
  clone(): SoftwareAuthenticator {
    const copy = new SoftwareAuthenticator(this.origin, this.#counts)
    copy.credentials.push(...this.credentials.map((credential) => ({ ...credential })))
    return copy
  }

  #named({ id }: Credential) {
    return { id, rawId: id, type: 'public-key' as const, clientExtensionResults: {} }
  }

  #head(rpId: string, flags: number, counter: number, { isUnverified = false }: Misbehaviour): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    const shown = PRESENT | (isUnverified ? 0 : VERIFIED) | MAY_BE_BACKED_UP | IS_BACKED_UP
    return Buffer.concat([sha256(Buffer.from(rpId)), Buffer.from([flags | shown]), count])
  }

  #clientData(type: string, challenge: string, wrong: Misbehaviour): Buffer {
    const origin = wrong.origin ?? this.origin
    return Buffer.from(JSON.stringify({ type, challenge: wrong.challenge ?? challenge, origin, crossOrigin: false }))
  }
}

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest()

/** CBOR: { 1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y }. */
function coseKey(x: string, y: string): Buffer {
  const bytes = (text: string): Buffer => Buffer.concat([Buffer.from([0x58, 0x20]), Buffer.from(text, 'base64url')])
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
    bytes(x),
    Buffer.from([0x22]),
    bytes(y),
  ])
}

/** CBOR: { fmt: 'none', attStmt: {}, authData }. */
function attestation(authData: Buffer): Buffer {
  const text = (word: string): Buffer => Buffer.concat([Buffer.from([0x60 | word.length]), Buffer.from(word)])
  const length = Buffer.alloc(3)
  length.writeUInt8(0x59)
  length.writeUInt16BE(authData.length, 1)
  return Buffer.concat([
    Buffer.from([0xa3]),
    ...[text('fmt'), text('none'), text('attStmt'), Buffer.from([0xa0])],
    ...[text('authData'), length, authData],
  ])
}

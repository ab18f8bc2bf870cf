// Encrypts signing secrets for the database: AES-256-GCM with the master key from the environment.
import { createCipheriv, createDecipheriv, createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'

const NONCE_BYTES = 12
const TAG_BYTES = 16
/** Must never change: relays of all releases compare its HMAC. */
const CHECKED = 'ticketrail master key check 1'

export class SecretBox {
  /** Node needs two thirds less time with it than with its bytes. */
  readonly #key: KeyObject

  /** @param masterKey 32 bytes */
  constructor(masterKey: Buffer) {
    if (masterKey.length !== 32) throw new Error(`the master key has ${masterKey.length} bytes, it needs 32`)
    this.#key = createSecretKey(masterKey)
  }

  /** A value for comparing keys. Neither the key nor anything sealed can be derived from it. */
  check(): string {
    return createHmac('sha256', this.#key).update(CHECKED).digest('hex')
  }

  /**
   * Hex HMAC-SHA256. Without the master key it cannot be computed or guessed, even for a code of a few characters.
   * @param purpose unique to the caller: another purpose gives another MAC for the same text
   */
  mac(purpose: string, text: string): string {
    const key = createHmac('sha256', this.#key).update(`ticketrail mac ${purpose}`).digest()
    return createHmac('sha256', key).update(text).digest('hex')
  }

  /**
   * 32 bytes, from which the master key cannot be derived: for what is not kept in the database.
   * @param purpose unique to the caller: another purpose gives another key
   */
  keyFor(purpose: string): Buffer {
    return createHmac('sha256', this.#key).update(`ticketrail key ${purpose}`).digest()
  }

  /** Base64 of nonce, tag and ciphertext; different at every call. */
  seal(text: string): string {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce)
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64')
  }

  /** @throws if the text was altered or sealed with another key */
  open(sealed: string): string {
    const bytes = Buffer.from(sealed, 'base64')
    if (bytes.length < NONCE_BYTES + TAG_BYTES) throw new Error('the sealed secret is too short')
    const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
    const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8')
    return text + decipher.final('utf8')
  }
}

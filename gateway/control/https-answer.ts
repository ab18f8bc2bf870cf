// The state of the page's https, as the operations return it.

/** The state of the page's https. */
export interface HttpsAnswer {
  /** `off`: by its setting. `failed`: `fault` has the reason; it is tried again every minute. */
  state: 'off' | 'starting' | 'on' | 'failed'
  port: number
  /** `fingerprint`: SHA-256 as browsers show it, 32 bytes in hexadecimal with colons between. Null: there is none yet. */
  certificate: { source: 'provided' | 'self-signed'; fingerprint: string; from: string; until: string } | null
  fault: string | null
  /** Why the owner's certificate is not used; null: it is used, or none was configured. */
  certificateFault: string | null
}

export const NO_HTTPS: HttpsAnswer = { state: 'off', port: 0, certificate: null, fault: null, certificateFault: null }

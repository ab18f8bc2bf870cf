// How the page speaks https, as the operations answer it.

/** How the page speaks https. */
export interface HttpsAnswer {
  /** `off`: by its setting. `failed`: `fault` says why; it is tried again every minute. */
  state: 'off' | 'starting' | 'on' | 'failed'
  port: number
  /** `fingerprint`: SHA-256 as browsers show it, 32 bytes in hexadecimal with colons between. Null: there is none yet. */
  certificate: { source: 'provided' | 'self-signed'; fingerprint: string; from: string; until: string } | null
  fault: string | null
  /** Why the owner's certificate is not served as it stands in its files; null: it is, or none was put in. */
  certificateFault: string | null
}

export const NO_HTTPS: HttpsAnswer = { state: 'off', port: 0, certificate: null, fault: null, certificateFault: null }

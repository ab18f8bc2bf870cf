// The relay's certificates: one for the API, one for MQTT, or one for both, as the settings say.
import type { CertificateFiles } from '#shared/certificate/certificate-files.ts'
import type { Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import type { Service } from '#shared/service.ts'
import { ServedCertificate } from './served-certificate.ts'

/** Null: none is set. */
export interface CertificatePlaces {
  api: CertificateFiles | null
  /** Its own; null: that of the API. */
  mqtt: CertificateFiles | null
}

export class RelayCertificates implements Service {
  /** Null: the API is spoken without TLS. */
  readonly api: ServedCertificate | null
  /** Null: MQTT is spoken without TLS. */
  readonly mqtt: ServedCertificate | null

  constructor({ api, mqtt, ...deps }: CertificatePlaces & { clock: Clock; log: Logger }) {
    this.api =
      api &&
      new ServedCertificate({
        ...deps,
        files: api,
        settings: { certificate: 'CLOUD_TLS_CERT_FILE', key: 'CLOUD_TLS_KEY_FILE' },
      })
    this.mqtt = mqtt
      ? new ServedCertificate({
          ...deps,
          files: mqtt,
          settings: { certificate: 'CLOUD_MQTT_TLS_CERT_FILE', key: 'CLOUD_MQTT_TLS_KEY_FILE' },
        })
      : this.api
  }

  /** @throws ConfigError */
  async start(): Promise<void> {
    for (const certificate of this.#each) await certificate.start()
  }

  async stop(): Promise<void> {
    for (const certificate of this.#each) await certificate.stop()
  }

  /** Reads all files again. */
  reload(): void {
    for (const certificate of this.#each) certificate.reload()
  }

  get #each(): ServedCertificate[] {
    return [...new Set([this.api, this.mqtt])].filter((certificate) => certificate !== null)
  }
}

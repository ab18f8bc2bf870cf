// Planted faults of what guards the relay on an open network: certificates, plain listeners, the master key.
import { type Mutant, unit } from './mutant.ts'

const SERVED = unit('cloud/certificate/served-certificate.test.ts')
const RULES = unit('cloud/config-rules.test.ts')

export const OPEN_NETWORK_MUTANTS: readonly Mutant[] = [
  {
    name: 'network-half-a-renewal-is-served',
    file: 'cloud/certificate/served-certificate.ts',
    original: 'this.#served = servedFrom(readProvidedCertificate(files), { files, nowMs: clock.now() })',
    replacement:
      'this.#served = null\n    this.#served = servedFrom(readProvidedCertificate(files), { files, nowMs: clock.now() })',
    harm: 'A renewal that is half written takes the certificate away, and every gateway of the fleet with it.',
    tests: SERVED,
  },
  {
    name: 'network-renewal-waits-for-a-restart',
    file: 'cloud/certificate/served-certificate.ts',
    original: 'if (versionOf(files) !== this.#version) this.#readAgain()',
    replacement: "if (versionOf(files) === '') this.#readAgain()",
    harm: 'A renewed certificate is not served, and three weeks later no restaurant prints.',
    tests: SERVED,
  },
  {
    name: 'network-a-certificate-of-tomorrow-is-served',
    file: 'cloud/certificate/served-certificate.ts',
    original: 'if (fromMs > nowMs) throw',
    replacement: 'if (fromMs > nowMs + 86_400_000) throw',
    harm: 'A certificate that is not valid yet takes the place of one that is, and every client and gateway refuses it.',
    tests: SERVED,
  },
  {
    name: 'network-nobody-hears-of-the-end',
    file: 'cloud/certificate/served-certificate.ts',
    original: 'const within = WARN_DAYS_BEFORE.find((days) => leftMs <= days * DAY_MS)',
    replacement: 'const within = WARN_DAYS_BEFORE.find((days) => leftMs <= days)',
    harm: 'Nobody is told that the certificate ends, until it has.',
    tests: unit('cloud/certificate/expiry.test.ts'),
  },
  {
    name: 'network-an-open-port-is-taken-for-this-machine',
    file: 'cloud/config-rules.ts',
    original: '!hasCertificate && !isLoopback(host) && !isAllowed(config, what)',
    replacement: '!hasCertificate && !isLoopback(host) && config.CLOUD_ALLOW_PLAIN.length === 0',
    harm: 'Who opens the port of MQTT to a private network opens the API to the internet in plain text, and nothing says so.',
    tests: RULES,
  },
  {
    name: 'network-a-password-in-an-address-goes-out-plain',
    file: 'cloud/config-rules.ts',
    original: "config.CLOUD_BROKER_PASSWORD === undefined && password === ''",
    replacement: 'config.CLOUD_BROKER_PASSWORD === undefined',
    harm: 'The password of the broker, which opens every restaurant, can be read on the way.',
    tests: RULES,
  },
  {
    name: 'network-everybody-may-read-the-master-key',
    file: 'cloud/master-key.ts',
    original: 'if (isOpenToEverybody(file))',
    replacement: 'if (file === "/" && isOpenToEverybody(file))',
    harm: 'Every user of the machine reads the key of all webhook secrets.',
    tests: unit('cloud/master-key.test.ts'),
  },
]

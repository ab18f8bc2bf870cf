// Settings that contradict each other are refused in one line that names every way to fix it.
import { describe, expect, it } from 'vitest'
import { readCloudConfig } from './config.ts'

const KEY = { CLOUD_MASTER_KEY: Buffer.alloc(32, 7).toString('base64') }
const TLS = { CLOUD_TLS_CERT_FILE: '/c.pem', CLOUD_TLS_KEY_FILE: '/k.pem' }
const MQTT_TLS = { CLOUD_MQTT_TLS_CERT_FILE: '/c.pem', CLOUD_MQTT_TLS_KEY_FILE: '/k.pem' }

/** What is refused of these settings; the empty text when nothing is. */
function refusal(settings: Record<string, string>): string {
  try {
    readCloudConfig({ ...KEY, ...settings })
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : 'no error'
  }
}

describe('a listener without TLS', () => {
  it.each(['127.0.0.1', '127.8.0.1', '::1', 'localhost'])('is taken on %s', (host) => {
    expect(refusal({ CLOUD_HTTP_HOST: host, CLOUD_MQTT_HOST: host })).toBe('')
  })

  it.each(['0.0.0.0', '::', '10.1.2.3', 'fd00::1', 'relay.example', '::ffff:10.0.0.1', 'localhost.example'])(
    'is refused on %s, with both ways out',
    (host) => {
      for (const [variable, what] of [
        ['CLOUD_HTTP_HOST', 'api'],
        ['CLOUD_MQTT_HOST', 'mqtt'],
      ] as const) {
        const said = refusal({ [variable]: host })
        expect(said).toContain(`${variable} ${host} is open to a network and has no TLS`)
        expect(said).toContain('CLOUD_TLS_CERT_FILE and CLOUD_TLS_KEY_FILE')
        expect(said).toContain(`CLOUD_ALLOW_PLAIN=${what} `)
        expect(said).not.toContain('\n')
        expect(refusal({ [variable]: host, CLOUD_ALLOW_PLAIN: what })).toBe('')
        expect(refusal({ [variable]: host, CLOUD_ALLOW_PLAIN: what === 'api' ? 'mqtt' : 'api' })).toBe(
          said.replace(`=${what} `, what === 'api' ? '=mqtt,api ' : '=api,mqtt '),
        )
      }
    },
  )

  it('is refused for each of the two, in one line', () => {
    const said = refusal({ CLOUD_HTTP_HOST: '0.0.0.0', CLOUD_MQTT_HOST: '0.0.0.0' })
    expect([said.includes('CLOUD_HTTP_HOST'), said.includes('CLOUD_MQTT_HOST')]).toEqual([true, true])
  })

  it('needs no declaration where there is a certificate: that of the API for both, that of MQTT for MQTT alone', () => {
    const open = { CLOUD_HTTP_HOST: '0.0.0.0', CLOUD_MQTT_HOST: '0.0.0.0' }
    expect(refusal({ ...open, ...TLS })).toBe('')
    expect(refusal({ ...open, ...MQTT_TLS })).toContain('CLOUD_HTTP_HOST 0.0.0.0 is open')
    expect(refusal({ ...open, ...MQTT_TLS })).not.toContain('CLOUD_MQTT_HOST')
  })

  it('is not checked where no broker is embedded', () => {
    expect(refusal({ CLOUD_MQTT_HOST: '0.0.0.0', CLOUD_BROKER_URL: 'mqtts://b.example' })).toBe('')
  })
})

describe('a host to listen on', () => {
  const variables = ['CLOUD_HTTP_HOST', 'CLOUD_MQTT_HOST']
  it.each([
    ...[
      '::1]#',
      '127.0.0.1/0.0.0.0',
      '127.0.0.1?',
      '127.0.0.1#',
      'localhost:80',
      'user@localhost',
      'bad host',
      '[::1]',
    ],
    ...['127.0.0.1\\x', '-a.example', 'a..b', `${'a'.repeat(64)}.example`, 'localhost\n'],
  ])('that is neither an address nor a name (%j) is refused', (host) => {
    for (const variable of variables)
      expect(refusal({ [variable]: host })).toContain(`${variable} must be an IP address or a host name`)
  })

  it.each(['fe80::1%lo', '::ffff:127.0.0.1', 'relay.example', 'RELAY-1', 'relay.example.', 'under_score'])(
    'may be %s',
    (host) => {
      for (const variable of variables) expect(refusal({ [variable]: host, CLOUD_ALLOW_PLAIN: 'api,mqtt' })).toBe('')
    },
  )
})

describe('an external broker', () => {
  const password = { CLOUD_BROKER_USERNAME: 'relay', CLOUD_BROKER_PASSWORD: 'secret' }
  it.each(['mqtt://b.example:1883', 'ws://10.0.0.9/mqtt'])('gets no password at %s, unless it is named', (url) => {
    const said = refusal({ CLOUD_BROKER_URL: url, ...password })
    expect(said).toContain(`CLOUD_BROKER_URL sends a password to ${new URL(url).host} without TLS`)
    expect(said).toContain('mqtts:// or wss://')
    expect(said).not.toContain('secret')
    expect(refusal({ CLOUD_BROKER_URL: url, ...password, CLOUD_ALLOW_PLAIN: 'broker' })).toBe('')
    expect(refusal({ CLOUD_BROKER_URL: url })).toBe('')
  })

  it('gets none of those in its address either, and the line does not repeat it', () => {
    const said = refusal({ CLOUD_BROKER_URL: 'mqtt://relay:secret@b.example' })
    expect(said).toContain('CLOUD_BROKER_URL sends a password to b.example without TLS')
    expect(said).not.toContain('secret')
  })

  it.each(['mqtts://b.example', 'wss://b.example/mqtt', 'mqtt://127.0.0.1:1883', 'ws://localhost/mqtt'])(
    'gets one at %s',
    (url) => expect(refusal({ CLOUD_BROKER_URL: url, ...password })).toBe(''),
  )
})

it('a certificate without its key, or the other way, names what is missing', () => {
  expect(refusal({ CLOUD_TLS_CERT_FILE: '/c' })).toContain('CLOUD_TLS_CERT_FILE needs CLOUD_TLS_KEY_FILE beside it.')
  expect(refusal({ CLOUD_MQTT_TLS_KEY_FILE: '/k' })).toContain(
    'CLOUD_MQTT_TLS_KEY_FILE needs CLOUD_MQTT_TLS_CERT_FILE beside it.',
  )
})

it('what may be plain is one of three words', () => {
  expect(refusal({ CLOUD_ALLOW_PLAIN: 'api, mqtt,broker' })).toBe('')
  expect(refusal({ CLOUD_ALLOW_PLAIN: 'yes' })).toContain('CLOUD_ALLOW_PLAIN must be some of api, mqtt and broker')
})

describe('mail', () => {
  const MAIL = { CLOUD_MAIL_URL: 'smtp://mail.example', CLOUD_MAIL_FROM: 'Ticketrail <mail@example.com>' }

  it('needs a server and a sender together', () => {
    expect(refusal(MAIL)).toBe('')
    expect(refusal({ CLOUD_MAIL_URL: MAIL.CLOUD_MAIL_URL })).toContain('CLOUD_MAIL_URL needs CLOUD_MAIL_FROM')
    expect(refusal({ CLOUD_MAIL_FROM: MAIL.CLOUD_MAIL_FROM })).toContain('CLOUD_MAIL_FROM needs CLOUD_MAIL_URL')
  })

  it.each(['https://mail.example', 'smtp:///mail', 'smtp://user@mail.example', 'smtp://mail.example/?tls=no'])(
    'is refused at %s, without showing what stands in it',
    (url) => {
      const said = refusal({ ...MAIL, CLOUD_MAIL_URL: url })
      expect(said).toContain('CLOUD_MAIL_URL must be smtp://USER:PASSWORD@HOST:PORT')
      expect(said).not.toContain(url)
    },
  )
})

it.each([
  ['http', 'CLOUD_TRANSCRIBER_URL', 'http://127.0.0.1:9000'],
  ['command', 'CLOUD_TRANSCRIBER_COMMAND', '["/usr/bin/transcribe"]'],
  ['sherpa', 'CLOUD_TRANSCRIBER_MODEL_DIR', '/srv/model'],
])('the transcriber `%s` needs %s', (kind, name, value) => {
  expect(refusal({ CLOUD_TRANSCRIBER: kind })).toContain(`CLOUD_TRANSCRIBER=${kind} needs ${name} beside it.`)
  expect(refusal({ CLOUD_TRANSCRIBER: kind, [name]: value })).toBe('')
})

describe('a telephone company', () => {
  const PUBLIC = { CLOUD_PUBLIC_URL: 'https://relay.example' }
  const TWILIO = {
    CLOUD_TELEPHONY: 'twilio',
    CLOUD_TWILIO_ACCOUNT: `AC${'0a'.repeat(16)}`,
    CLOUD_TWILIO_TOKEN: 'hidden-token',
  }
  const TELNYX = {
    CLOUD_TELEPHONY: 'telnyx',
    CLOUD_TELNYX_KEY: 'hidden-key',
    CLOUD_TELNYX_PUBLIC_KEY: Buffer.alloc(32).toString('base64'),
  }

  it.each([TWILIO, TELNYX])('$CLOUD_TELEPHONY needs its account', (company) => {
    expect(refusal({ ...company, ...PUBLIC })).toBe('')
    expect(refusal({ ...company, CLOUD_RECEPTIONIST_URL: 'https://voice.example' })).toBe('')
    for (const name of Object.keys(company).filter((key) => key !== 'CLOUD_TELEPHONY')) {
      const said = refusal({ ...PUBLIC, ...company, [name]: '' })
      expect(said).toContain(`CLOUD_TELEPHONY=${company.CLOUD_TELEPHONY} needs ${name}.`)
      expect(said).not.toContain('hidden')
    }
  })

  it.each([TWILIO, TELNYX])('$CLOUD_TELEPHONY is neither called nor calls without TLS', (company) => {
    expect(refusal(company)).toContain('needs a public https address')
    expect(refusal({ ...company, CLOUD_PUBLIC_URL: 'http://relay.example' })).toContain('needs a public https address')
    const api = company.CLOUD_TELEPHONY === 'twilio' ? 'CLOUD_TWILIO_URL' : 'CLOUD_TELNYX_URL'
    expect(refusal({ ...PUBLIC, ...company, [api]: 'http://api.example' })).toContain(`${api} would get the account's`)
    expect(refusal({ ...PUBLIC, ...company, [api]: 'http://127.0.0.1:9000' })).toBe('')
  })

  it('that is simulated needs nothing', () => {
    expect(refusal({ CLOUD_TELEPHONY: 'simulator' })).toBe('')
  })
})

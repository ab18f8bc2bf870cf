// Settings: defaults, the printer list, and errors that say what to do.
import { describe, expect, it } from 'vitest'
import { ConfigError } from '#shared/settings.ts'
import { controlSocketOf, httpsPortOf, readGatewayConfig } from './config.ts'

const printersOf = (text: string) => readGatewayConfig({ GATEWAY_PRINTERS: text }).GATEWAY_PRINTERS

describe('readGatewayConfig', () => {
  it('works without any setting, and takes an empty one as none', () => {
    expect(readGatewayConfig({ GATEWAY_HTTP_PORT: '' })).toEqual({
      GATEWAY_ALLOWED_PRINTERS: [],
      GATEWAY_CLOUD_PRINTERS: [],
      GATEWAY_DATABASE: 'data/gateway/gateway.db',
      GATEWAY_HTTP_HOST: '127.0.0.1',
      GATEWAY_HTTP_PORT: 8081,
      GATEWAY_HTTP_SIGN_IN: 'this-machine',
      GATEWAY_PAIRING_FILE: 'data/gateway/pairing.json',
      GATEWAY_PRINTERS: [],
      GATEWAY_PRINT_SETUP_TICKET: 'no',
      GATEWAY_PROOF_FOLDER: 'data/gateway',
      GATEWAY_DISCOVERY_NETWORKS: [],
      GATEWAY_LOG_LEVEL: 'info',
    })
  })

  it('puts the control socket beside the database by default', () => {
    expect(controlSocketOf(readGatewayConfig({ GATEWAY_DATABASE: '/srv/box/gateway.db' }))).toBe(
      '/srv/box/control.sock',
    )
    expect(controlSocketOf(readGatewayConfig({ GATEWAY_CONTROL_SOCKET: '/run/t/c.sock' }))).toBe('/run/t/c.sock')
  })

  it('serves https where other machines can reach the page, at a configurable port or not at all', () => {
    const portOf = (env: Record<string, string>) => httpsPortOf(readGatewayConfig(env))
    for (const host of ['127.0.0.1', 'localhost', '::1']) expect(portOf({ GATEWAY_HTTP_HOST: host }), host).toBe(0)
    for (const host of ['0.0.0.0', '192.168.1.7', '::']) expect(portOf({ GATEWAY_HTTP_HOST: host }), host).toBe(8443)
    expect(portOf({ GATEWAY_HTTPS_PORT: '443' })).toBe(443)
    expect(portOf({ GATEWAY_HTTP_HOST: '0.0.0.0', GATEWAY_HTTPS_PORT: '0' })).toBe(0)
    expect(() => portOf({ GATEWAY_HTTPS_PORT: '65536' })).toThrow('GATEWAY_HTTPS_PORT must be a port number')
  })

  it('requires certificate and key together', () => {
    expect(() => readGatewayConfig({ GATEWAY_HTTPS_CERTIFICATE: '/etc/ssl/k.crt' })).toThrow(
      new ConfigError('The settings cannot be used. GATEWAY_HTTPS_KEY must be set when GATEWAY_HTTPS_CERTIFICATE is.'),
    )
    expect(() => readGatewayConfig({ GATEWAY_HTTPS_KEY: '/etc/ssl/k.key' })).toThrow('GATEWAY_HTTPS_CERTIFICATE must')
    const both = { GATEWAY_HTTPS_CERTIFICATE: '/etc/ssl/k.crt', GATEWAY_HTTPS_KEY: '/etc/ssl/k.key' }
    expect(readGatewayConfig(both)).toMatchObject(both)
  })

  it('keeps the proof of the newest disk outside the folder of the database, where there is such a place', () => {
    const folderOf = (env: Record<string, string>) =>
      readGatewayConfig({ GATEWAY_DATABASE: '/srv/box/gateway.db', ...env }).GATEWAY_PROOF_FOLDER
    const HOME = '/home/box'
    expect(folderOf({ GATEWAY_PROOF_FOLDER: '/mnt/other', XDG_STATE_HOME: '/state', HOME })).toBe('/mnt/other')
    expect(folderOf({ XDG_STATE_HOME: '/state', HOME })).toBe('/state/ticketrail')
    expect(folderOf({ HOME })).toBe('/home/box/.local/state/ticketrail')
    expect(folderOf({})).toBe('/srv/box')
  })

  it('accepts only small IPv4 networks for the printer search', () => {
    const networksOf = (text: string) =>
      readGatewayConfig({ GATEWAY_DISCOVERY_NETWORKS: text }).GATEWAY_DISCOVERY_NETWORKS
    expect(networksOf('192.168.1.0/24, 10.0.0.0/26')).toEqual(['192.168.1.0/24', '10.0.0.0/26'])
    expect(() => networksOf('10.0.0.0/8')).toThrow('GATEWAY_DISCOVERY_NETWORKS must be a list')
  })

  it('reads printers with and without port, profile and stations', () => {
    expect(printersOf('Grill = 10.0.0.5'.replace(' = ', '='))).toEqual([
      { name: 'Grill', host: '10.0.0.5', port: 9100, profileId: null, stations: [] },
    ])
    expect(printersOf('Hot line=printer.local:9101/epson-thermal-203@grill+deep fry, bar=[fe80::1]:9100 ,')).toEqual([
      {
        name: 'Hot line',
        host: 'printer.local',
        port: 9101,
        profileId: 'epson-thermal-203',
        stations: ['grill', 'deep fry'],
      },
      { name: 'bar', host: 'fe80::1', port: 9100, profileId: null, stations: [] },
    ])
  })

  it('reads printers at device files of this machine', () => {
    expect(printersOf('Bar=usb:/dev/usb/lp0, Counter=usb:/dev/ticketrail/counter:star-line@salads+desserts')).toEqual([
      { name: 'Bar', host: '/dev/usb/lp0', port: 0, profileId: null, stations: [] },
      {
        name: 'Counter',
        host: '/dev/ticketrail/counter',
        port: 0,
        profileId: 'star-line',
        stations: ['salads', 'desserts'],
      },
    ])
  })

  it('takes names with any sign, in quotes where the sign means something here', () => {
    const text = '"Bar / Pass, upstairs"=10.0.0.5@bar, 7" Grill=10.0.0.6,"a=b@c"=usb:/dev/usb/lp0'
    expect(printersOf(text).map(({ name, host }) => [name, host])).toEqual([
      ['Bar / Pass, upstairs', '10.0.0.5'],
      ['7" Grill', '10.0.0.6'],
      ['a=b@c', '/dev/usb/lp0'],
    ])
    for (const bad of ['"Bar=10.0.0.5', '""=10.0.0.5', '" "=10.0.0.5']) expect(() => printersOf(bad)).toThrow(/entry 1/)
  })

  it.each(['usb:/etc/passwd', 'usb:/dev/../etc/passwd', 'usb:/dev/usb/..', 'usb:lp0', 'usb:/dev', '/dev/usb/lp0'])(
    'takes no other file for a device: %s',
    (address) => {
      expect(() => printersOf(`Bar=${address}`)).toThrow(/GATEWAY_PRINTERS .*entry 1/)
    },
  )

  it.each([
    [{ GATEWAY_PRINTERS: 'grill=10.0.0.5,10.0.0.6' }, /GATEWAY_PRINTERS .*entry 2/],
    [{ GATEWAY_PRINTERS: 'grill=10.0.0.5:99999' }, /GATEWAY_PRINTERS/],
    [{ GATEWAY_PRINTERS: 'a=10.0.0.5,a=10.0.0.6' }, /a is there twice/],
    [{ GATEWAY_PRINTERS: Array.from({ length: 33 }, (_, n) => `p${n}=h`).join(',') }, /at most 32/],
    [{ GATEWAY_HTTP_PORT: '80a' }, /GATEWAY_HTTP_PORT must be a port number/],
    [{ GATEWAY_HTTP_PORT: '70000' }, /GATEWAY_HTTP_PORT must be a port number/],
    [{ GATEWAY_LOG_LEVEL: 'loud' }, /GATEWAY_LOG_LEVEL/],
  ])('refuses %j and names it', (env, message) => {
    expect(() => readGatewayConfig(env)).toThrow(ConfigError)
    expect(() => readGatewayConfig(env)).toThrow(message)
  })
})

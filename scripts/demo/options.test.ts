// The command line of `npm start`.
import { describe, expect, it } from 'vitest'
import { DemoError } from './demo-error.ts'
import { parseDemoOptions } from './options.ts'

const parse = (...args: string[]) => parseDemoOptions(args, '/home/ana', '/project/data')

describe('the options of npm start', () => {
  it('have pleasant defaults', () => {
    expect(parse()).toEqual({
      printer: null,
      call: false,
      dataDir: '/project/data',
      cloudPort: 8080,
      gatewayPort: 8081,
      mqttPort: 1883,
    })
  })

  it.each([
    ['192.168.1.50', { host: '192.168.1.50', port: 9100 }],
    ['127.0.0.1:19100', { host: '127.0.0.1', port: 19100 }],
    ['kitchen.local', { host: 'kitchen.local', port: 9100 }],
    ['[fe80::1]:9101', { host: 'fe80::1', port: 9101 }],
    ['[::1]', { host: '::1', port: 9100 }],
  ])('take %s as a printer', (text, printer) => {
    expect(parse('--printer', text)?.printer).toEqual(printer)
  })

  it.each(['', 'a b', 'host:0', 'host:65536', 'host:x', '::1', 'http://host'])('refuse "%s" as a printer', (text) => {
    expect(() => parse(`--printer=${text}`)).toThrow(/--printer needs HOST/)
  })

  it('start a relative folder where the person is', () => {
    expect(parse('--data', 'trial')?.dataDir).toBe('/home/ana/trial')
    expect(parse('--data', '/tmp/x')?.dataDir).toBe('/tmp/x')
  })

  it.each(['--cloud-port', '--gateway-port', '--mqtt-port'])('refuse a bad port and name %s', (option) => {
    expect(() => parse(`${option}=65536`)).toThrow(new RegExp(`^${option} needs a port`))
    expect(() => parse(`${option}=eighty`)).toThrow(DemoError)
    expect(() => parse(`${option}=-1`)).toThrow(DemoError)
  })

  it('play a call where it is asked for', () => {
    expect(parse('--call')?.call).toBe(true)
  })

  it('show the help for an option that does not exist', () => {
    expect(() => parse('--prnter', 'x')).toThrow(/--printer HOST\[:PORT\]/)
  })

  it('give nothing when help is asked for', () => {
    expect(parse('--help')).toBeNull()
    expect(parse('--no-install')).not.toBeNull()
  })
})

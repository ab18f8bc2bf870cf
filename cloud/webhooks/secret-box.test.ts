// Sealed secrets can be opened with the same key only, and only if unchanged.
import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { SecretBox } from './secret-box.ts'

describe('SecretBox', () => {
  const box = new SecretBox(randomBytes(32))

  it('opens what it sealed, and never seals twice alike', () => {
    const sealed = box.seal('whsec_x')
    expect(box.open(sealed)).toBe('whsec_x')
    expect(box.seal('whsec_x')).not.toBe(sealed)
    expect(Buffer.from(sealed, 'base64').toString('latin1')).not.toContain('whsec_x')
  })

  it('refuses every altered byte', () => {
    const sealed = Buffer.from(box.seal('whsec_x'), 'base64')
    for (let i = 0; i < sealed.length; i++) {
      const altered = Buffer.from(sealed)
      altered.writeUInt8(altered.readUInt8(i) ^ 1, i)
      expect(() => box.open(altered.toString('base64'))).toThrow()
    }
  })

  it('refuses another key, and text that is too short', () => {
    expect(() => new SecretBox(randomBytes(32)).open(box.seal('whsec_x'))).toThrow()
    expect(() => box.open('AAAA')).toThrow('too short')
  })

  it('refuses a master key that is not 32 bytes', () => {
    expect(() => new SecretBox(randomBytes(16))).toThrow('needs 32')
  })
})

// What the last guard before the wire refuses.
import { describe, expect, it } from 'vitest'
import { EscposEncoder } from './escpos-encoder.ts'
import { checkDocument, FirewallError } from './output-firewall.ts'
import { profileById } from './printer-profiles.ts'

const profile = profileById('generic-80')
const { dialect } = new EscposEncoder(profile)
const CUT = '\x1dVB\x00'

function refused(text: string): readonly string[] {
  try {
    checkDocument(Buffer.from(text, 'latin1'), profile, dialect)
    return []
  } catch (error) {
    if (error instanceof FirewallError) return error.refused
    throw error
  }
}

describe('checkDocument', () => {
  it('lets a plain ticket through', () => {
    expect(refused(`\x1bt\x10\x1bE\x012  Caf\xe9\x1bE\x00\n${CUT}`)).toEqual([])
  })

  it.each([
    ['the drawer', '\x1bp\x00\x19\xfa', ['ESC p']],
    ['a second initialisation', '\x1b@', ['ESC @']],
    ['deselecting the printer', '\x1b=\x02', ['ESC =']],
    ['stored images', '\x1cq\x01\x01\x00\x01\x0012345678', ['FS q']],
    ['graphics memory', '\x1d(L\x02\x00\x30\x30', ['GS ( L']],
    ['settings', '\x1d(E\x03\x00\x01IN', ['GS ( E']],
    ['user memory', '\x1d(C\x02\x00\x00\x00', ['GS ( C']],
    ['macros', '\x1d:', ['GS :']],
    ['page mode', '\x1bL', ['ESC L']],
    ['a national character set', '\x1bR\x0c', ['ESC R']],
    ['Chinese mode', '\x1c&', ['FS &']],
    ['automatic status', '\x1da\x0e', ['GS a']],
    ['a code page that the profile does not have', '\x1bt\x7f', ['ESC t 127']],
    ['another function of the buzzer group', '\x1b(A\x02\x00\x31\x31', ['ESC ( A 49']],
    ['a feed of a whole roll', '\x1bd\xff', ['ESC d 255']],
    ['an unknown command', '\x1b\x01', ['ESC 0x01']],
    ['a stray control byte', '\x7f', ['0x7f']],
    ['a real-time command', '\x10\x14\x01\x00\x01', ['DLE DC4', 'a real-time command']],
    ['a second cut', `${CUT}more\n`, ['2 cuts instead of 1']],
  ])('refuses %s', (_, bytes, expected) => {
    expect(refused(`text${bytes}\n${CUT}`)).toEqual(expected)
  })

  it('refuses a ticket without its cut, with text behind it, or that ends inside a command', () => {
    expect(refused('text\n')).toEqual(['0 cuts instead of 1'])
    expect(refused(`text\n${CUT}\n`)).toEqual(['something behind the cut'])
    expect(refused(`text\n${CUT}\x1b`)).toEqual(['an unfinished command'])
  })

  it('tells what was refused, without the text around it', () => {
    const document = Buffer.from(`secret\x1bp\x00\x19\xfa${CUT}`, 'latin1')
    expect(() => checkDocument(document, profile, dialect)).toThrow(/ESC p/)
    expect(() => checkDocument(document, profile, dialect)).not.toThrow(/secret/)
  })
})

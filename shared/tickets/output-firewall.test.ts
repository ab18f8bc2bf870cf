// What the output firewall accepts and refuses.
import { describe, expect, it } from 'vitest'
import { cutBytes } from './document-frame.ts'
import { EscposEncoder } from './escpos-encoder.ts'
import { checkDocument, FirewallError } from './output-firewall.ts'
import { PROFILES, profileById } from './printer-profiles.ts'
import { drawerBytes } from './render-job.ts'

const CUT = '\x1dVB\x00'

function refused(text: string, profileId = 'generic-80'): readonly string[] {
  const profile = profileById(profileId)
  const { dialect } = new EscposEncoder(profile)
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
    expect(refused(`\x1bt\x00\x1bE\x012  Caf\x82\x1bE\x00\n${CUT}`)).toEqual([])
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
    ['a buzzer command that this printer is not given', '\x1b(A\x02\x00\x31\x31', ['ESC ( A']],
    ['a feed that this printer does not need', '\x1bd\xff', ['ESC d']],
    ['an unknown command', '\x1b\x01', ['ESC 0x01']],
    ['a stray control byte', '\x7f', ['0x7f']],
    ['a real-time command', '\x10\x14\x01\x00\x01', ['DLE DC4', 'a real-time command']],
    ['a second cut', `${CUT}more\n`, ['2 cuts instead of 1']],
  ])('refuses %s', (_, bytes, expected) => {
    expect(refused(`text${bytes}\n${CUT}`)).toEqual(expected)
  })

  it('refuses a ticket without its cut, with text after it, or that ends inside a command', () => {
    expect(refused('text\n')).toEqual(['0 cuts instead of 1'])
    expect(refused(`text\n${CUT}\n`)).toEqual(['something else than the cut at the end'])
    expect(refused(`text\n${CUT}\x1b`)).toEqual(['an unfinished command', 'something else than the cut at the end'])
  })

  it('reports what was refused, without the text around it', () => {
    expect(refused(`secret\x1bp\x00\x19\xfa${CUT}`).join()).not.toContain('secret')
  })
})

describe('parameters', () => {
  const white = (bytes: number) => '\x00'.repeat(bytes)

  it.each([
    ['epson-thermal-203', 'a picture wider than the paper', `\x1dv0\x00\x49\x00\x01\x00${white(73)}`, ['GS v 0 0']],
    ['epson-thermal-203', 'a picture higher than a band', `\x1dv0\x00\x01\x00\x19\x00${white(25)}`, ['GS v 0 0']],
    ['epson-thermal-203', 'a picture in another scale', `\x1dv0\x03\x01\x00\x01\x00\x00`, ['GS v 0 3']],
    ['epson-thermal-203', 'a larger letter than ours', '\x1d!\x77', ['GS ! 119']],
    ['epson-thermal-203', 'another function of the buzzer', '\x1b(A\x02\x00\x31\x31', ['ESC ( A 49']],
    ['epson-thermal-203', 'a code with other bars', '\x1dk\x04ABC\x00', ['GS k 4']],
    ['epson-thermal-203', 'control bytes in a barcode', '\x1dk\x49\x05{B\x1bp\x00', ['GS k 73']],
    ['epson-thermal-203', 'another two-dimensional code', '\x1d(k\x03\x00\x30\x45\x30', ['GS ( k 48']],
    ['epson-impact', 'a picture of the wrong density', '\x1b*\x01\x01\x00\x00', ['ESC * 1']],
    ['generic-58', 'a feed of a whole roll', '\x1bd\xff', ['ESC d 255']],
    ['bematech', 'another command set', '\x1d\xf9\x35\x30', ['GS 0xf9 53']],
  ])('%s: refuses %s', (profileId, _, bytes, expected) => {
    const cut = Buffer.from(cutBytes(profileById(profileId))).toString('latin1')
    expect(refused(`text${bytes}\n${cut}`, profileId)).toEqual(expected)
  })
})

describe('Star', () => {
  const CUT_STAR = '\x1bd\x03'

  it.each([
    ['the drawer', '\x07', ['BEL']],
    ['the second drawer', '\x1a', ['SUB']],
    ['a memory switch', '\x1b\x1d#W00000\x0a\x00', ['ESC GS #']],
    ['a reset', '\x1b?\x0a\x00', ['ESC ?']],
    ['a stored logo', '\x1b\x1cp\x01\x00', ['ESC FS p']],
    ['a form feed', '\x0c', ['FF', '2 cuts instead of 1']],
    ['a real-time reset', '\x1b\x06\x18', ['ESC ACK', 'a real-time command']],
    ['raster mode', '\x1b*rA\x1b*rB', ['ESC * r']],
    ['a code page that the profile does not have', '\x1b\x1dt\x7f', ['ESC GS t 127']],
    ['a second cut', '\x1bd\x02', ['ESC d 2', '2 cuts instead of 1']],
  ])('refuses %s', (_, bytes, expected) => {
    expect(refused(`text${bytes}\n${CUT_STAR}`, 'star-line')).toEqual(expected)
  })

  it('refuses text, and pictures wider than the paper, on printers that print pictures only', () => {
    const end = '\x1b\x0c\x00\x1b*rB'
    expect(refused(`\x1b*rA\x1b*rP0\x00b\x01\x00\xff${end}`, 'star-raster')).toEqual([])
    expect(refused(`text\x1b*rA${end}`, 'star-raster')).toEqual(['text outside a picture'])
    expect(refused(`\x1b*rAb\x49\x00${'\x00'.repeat(73)}${end}`, 'star-raster')).toEqual(['b 73'])
    expect(refused(`\x1b*rA\x1b*rD1\x00${end}`, 'star-raster')).toEqual(['ESC * r 68'])
  })
})

describe('the drawer', () => {
  it('is opened by no ticket, whatever the printer', () => {
    for (const profile of PROFILES) {
      const pulse = drawerBytes(profile)
      if (pulse === null) continue
      const cut = cutBytes(profile)
      const document = Buffer.concat([pulse, cut]).toString('latin1')
      expect(refused(document, profile.id), profile.id).not.toEqual([])
    }
  })
})

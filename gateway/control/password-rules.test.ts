// Which passwords a person may choose: none that is guessed within a million tries, and none made of names that everybody there knows.
import { describe, expect, it } from 'vitest'
import { ControlRefusal } from './control-refusal.ts'
import { refuseWeakPassphrase, refuseWeakPassword } from './password-rules.ts'

const WORDS = ['Tea Müller', 'Casa Nina', 'BCDF-GHJK']

async function fault(password: string, words = WORDS): Promise<string | null> {
  try {
    await refuseWeakPassword('password', password, words)
    return null
  } catch (error) {
    if (!(error instanceof ControlRefusal)) throw error
    expect(error.kind).toBe('invalid')
    expect(error.errors).toMatchObject([{ field: 'password' }])
    // A reader of the log must not see a password that was nearly accepted.
    if (password.length > 8) expect(error.message).not.toContain(password)
    return error.errors[0]?.rule?.key ?? ''
  }
}

describe('a password', () => {
  for (const password of [
    ...[
      '12345678',
      'password',
      'Password1',
      'P@ssw0rd!',
      'qwertyuiop',
      '1qaz2wsx',
      'zxcvbnm,',
      'iloveyou2',
      'letmein1',
    ],
    ...[
      'contraseña',
      'contraseña123',
      'Contrasena1',
      'cocina2026',
      'Bienvenido1',
      'woaini1314',
      'mima123456',
      'Restaurant1',
    ],
    ...['Sommer2026!', '¡Verano2026!', 'Passwort123', 'motdepasse1', 'Küche2026', 'chufang2026', '!!password!!'],
    ...['aaaaaaaa', '12121212', 'abcdefgh', '87654321', '19.05.1988', 'Summer2026', 'ticketrail', 'TicketRail1'],
  ])
    it(`${password} is refused: many have one like it`, async () => {
      expect(await fault(password)).toBe('password-common')
    })

  for (const password of [
    'teamüller',
    'Tea-12345',
    'Müller2026!',
    'casanina',
    'Casa Nina 2026',
    'bcdfghjk',
    'BCDF-GHJK!',
  ])
    it(`${password} is refused: it is made of the name, the restaurant or the code`, async () => {
      expect(await fault(password)).toBe('password-own-words')
    })

  // One keyboard's letters are another's: the key is made of the same ones.
  for (const [name, disguised] of Object.entries({
    'full-width letters': 'Ｐａｓｓｗｏｒｄ１２３',
    'letters in circles': 'ⓟⓐⓢⓢⓦⓞⓡⓓ①②③',
    'mathematical letters and digits': '𝐩𝐚𝐬𝐬𝐰𝐨𝐫𝐝𝟏𝟐𝟑',
    'spaces of no width between': [...'password123'].join('\u200b'),
    'soft hyphens between': [...'password123'].join('\u00ad'),
    'variation selectors and fillers between': [...'password123'].join('\ufe0f\u3164\u{e0100}'),
    'a hundred letters that nobody sees before it': `${'\u2060'.repeat(120)}password123`,
    'fewer letters than are typed': '9x#Qm2\u200b\u200b',
    'an accent of its own letter': 'contrasen\u0303a123',
  }))
    it(`in ${name} is judged by the letters that it is`, async () => {
      expect(await fault(disguised)).toBe('password-common')
    })

  it('of a file is judged by the letters that it is, too', async () => {
    for (const passphrase of ['Ｐａｓｓｗｏｒｄ１２３', [...'kitchen-2026'].join('\u200b'), 'contraseña123'])
      await expect(refuseWeakPassphrase(passphrase, [])).rejects.toMatchObject({ errors: [{ field: 'passphrase' }] })
    await refuseWeakPassphrase('seven onions under the stairs', [])
  })

  for (const password of [
    'four plain kitchen words',
    'kitchen-2026',
    'xK9#mQ2p',
    'Casa Nina hates dill pickles',
    '西红柿炒鸡蛋很好吃',
  ])
    it(`${password} is taken`, async () => {
      expect(await fault(password)).toBeNull()
    })

  it('is judged in time, however long it is', async () => {
    expect(await fault('p@$$w0rd1'.repeat(22))).toBe('password-common')
    expect(await fault(`${'a1!Z'.repeat(49)}xyz`, [])).toEqual(expect.any(String))
  })

  it('may have a name in it that is a letter or two, and no name at all', async () => {
    expect(await fault('alabaster horse', ['Al', '', '  '])).toBeNull()
  })
})

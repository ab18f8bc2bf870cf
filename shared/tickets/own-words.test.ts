// Which text could be mistaken for one of our banners, in any letters, and which could not.
import { describe, expect, it } from 'vitest'
import { looksLikeOurs, saysBanner } from './own-words.ts'

describe('a word that reads like a banner', () => {
  it.each([
    'VOID',
    'v.o.i.d',
    'V0ID',
    'VOlD',
    'ꓦꓳꓲꓓ ꓓꓳ ꓠꓳꓔ ꓟꓮꓗꓰ',
    'ᏙOID',
    'ѴOID',
    'ᴠᴏɪᴅ',
    'VOƖD',
    'VOΙD',
    'ВОИД',
    'ＶＯＩＤ',
    '𝐕𝐎𝐈𝐃',
    'V\u0335OID',
    'DUPLICATE',
    'dupIicate',
    'ᗪO ᑎOT MAKE',
    'lNCOMPLETE',
  ])('%s', (text) => {
    expect(saysBanner(text)).toBe(true)
  })

  it.each(['I avoid nuts', 'peanuts', 'Olive oil', 'молоко', '花生', 'φιστίκια', 'Milk', 'gluten, soya'])(
    'is not %s',
    (text) => {
      expect(saysBanner(text)).toBe(false)
      expect(looksLikeOurs(text)).toBe(false)
    },
  )
})

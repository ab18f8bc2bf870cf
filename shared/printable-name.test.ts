// Names of printers and screens: what a person can read in one line is a name.
import { describe, expect, it } from 'vitest'
import { printableName } from './printable-name.ts'

describe('a name of a printer or a screen', () => {
  it.each(['Bar / Pass', 'Grill, upstairs', 'a=b@c', '7" Grill', '热菜', 'مطبخ', 'Café №2 🍟'])('may be %s', (name) => {
    expect(printableName.parse(` ${name} `)).toBe(name)
  })

  it.each(['', '   ', 'two\nlines', 'a\u0000b', 'a\u2028b', '\ud800', 'x'.repeat(41)])('is not %j', (name) => {
    expect(printableName.safeParse(name).success).toBe(false)
  })
})

// What a page in another language gets about an invalid field: the rule and its limit.
import { describe, expect, it } from 'vitest'
import { checkedInput } from './control.ts'
import { ControlRefusal } from './control-refusal.ts'
import { OPERATIONS } from './operations.ts'

function rulesOf(body: unknown): Record<string, unknown> {
  try {
    checkedInput(OPERATIONS['printers.update'].input, body)
    return {}
  } catch (error) {
    if (!(error instanceof ControlRefusal)) throw error
    return Object.fromEntries(error.errors.map(({ field, rule }) => [field, rule]))
  }
}

describe('a wrong field', () => {
  it('names the rule that it breaks and its limit', () => {
    const settings = { copies: 9, backupAfterMs: 10, columns: 'many', mac: 'nonsense' }
    expect(rulesOf({ printer: 'grill', name: 'x'.repeat(41), host: 'http://evil', settings })).toEqual({
      name: { key: 'at-most-characters', limit: 40 },
      host: { key: 'form', limit: null },
      'settings.copies': { key: 'at-most', limit: 5 },
      'settings.backupAfterMs': { key: 'at-least', limit: 5_000 },
      'settings.columns': { key: 'number', limit: null },
      'settings.mac': { key: 'form', limit: null },
    })
  })

  it('has no rule for a field that nobody types', () => {
    expect(rulesOf({ printer: 'grill', evil: 1 })).toEqual({ evil: undefined })
    expect(rulesOf({ printer: 'grill', isDefault: false })).toEqual({ isDefault: undefined })
  })
})

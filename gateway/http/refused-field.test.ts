// The field that a refusal is about: by its case, else by its code; none where there is no single one.
import { describe, expect, it } from 'vitest'
import { refusedField } from './refusal.ts'

describe('the field that a refusal is about', () => {
  it('is the one at fault, whatever the code', () => {
    expect(refusedField('refused', 'printer.name-taken')).toBe('name')
    expect(refusedField('refused', 'address.port')).toBe('port')
    expect(refusedField('refused', 'printer.wrong-number')).toBe('code')
    expect(refusedField('invalid', 'report.days')).toBe('to')
    expect(refusedField('wrong-password', 'printer.tickets-wait')).toBe(null)
  })

  it('is that of the code where there is no case', () => {
    expect(refusedField('wrong-code', undefined)).toBe('code')
    expect(refusedField('internal', undefined)).toBe(null)
    expect(refusedField('constructor', undefined)).toBe(null)
  })
})

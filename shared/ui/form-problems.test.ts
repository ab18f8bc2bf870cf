// Where a form shows a problem: at its field if the form has it, otherwise at the end, and never at both.
import { describe, expect, it } from 'vitest'
import { asSentence, invalidWords, NO_PROBLEMS, sortedProblems, withoutField } from './form-problems.ts'

const NOTHING = { text: '', detail: '', fields: [] }
const host = { path: 'host', name: 'host', field: 'Address', words: 'must be an address' }
const papers = { path: 'papers', name: 'papers', field: 'Papers', words: 'must have an entry' }
const has =
  (...names: string[]) =>
  (name: string) =>
    names.includes(name)

describe('problems of a form', () => {
  it('are shown at the fields that it has, and together if it has none', () => {
    const { at, rest } = sortedProblems({ ...NOTHING, fields: [host, papers] }, { field: null }, has('host'))
    expect([...at]).toEqual([['host', 'must be an address']])
    expect(rest).toEqual({ ...NOTHING, fields: [papers] })
  })

  it('are shown at the field with the full path, if several have the same last part', () => {
    const late = (type: string) => ({ path: `times.${type}.late`, name: 'late', field: 'Late', words: 'must be later' })
    const { at, rest } = sortedProblems(
      { ...NOTHING, fields: [late('takeaway')] },
      { field: null },
      has('times.usual.late', 'times.takeaway.late'),
    )
    expect([[...at], rest]).toEqual([[['times.takeaway.late', 'must be later']], null])
  })

  it('are shown at the field whose line they are about', () => {
    const line = { path: 'profile.blocked.2', name: 'blocked', field: 'Blocked', words: 'must be numbers' }
    const { at, rest } = sortedProblems({ ...NOTHING, fields: [line] }, { field: null }, has('profile.blocked'))
    expect([[...at], rest]).toEqual([[['profile.blocked', 'must be numbers']], null])
  })

  it('are shown once if the whole refusal is about one field', () => {
    const words = { ...NOTHING, text: 'Another printer has this name.' }
    expect(sortedProblems(words, { field: 'name' }, has('name'))).toEqual({
      at: new Map([['name', words.text]]),
      rest: null,
    })
    expect(sortedProblems(words, { field: 'name' }, has('host'))).toEqual({ at: new Map(), rest: words })
  })

  it('include other text from the server besides its sentence', () => {
    const words = { ...NOTHING, text: 'The relay refuses.', detail: 'self-signed certificate' }
    expect(sortedProblems(words, { field: 'relayUrl' }, has('relayUrl')).rest).toEqual(words)
  })

  it('are reduced to the first of several at one field', () => {
    const { at } = sortedProblems(
      { ...NOTHING, fields: [host, { ...host, words: 'must be short' }] },
      { field: null },
      has('host'),
    )
    expect(at.get('host')).toBe('must be an address')
  })

  it('are removed from the field that changes, and from no other', () => {
    const shown = { at: new Map([...NO_PROBLEMS.at, ['host', 'a'], ['port', 'b']]), rest: null }
    expect([...withoutField(shown, 'host').at]).toEqual([['port', 'b']])
  })
})

describe('a field that the browser refuses', () => {
  const field = { name: 'host', isEmpty: false, isTooShort: false, minLength: 8, isNumeric: false }
  const t = {
    rules: {
      required: 'must be filled in',
      'wrong-form': 'has not the right form',
      'at-least-characters': 'at least {limit}',
      number: 'a number',
    },
    forms: { host: 'must be an address' },
  }
  it('shows its rule, in the words of the page', () => {
    expect(invalidWords({ ...field, isEmpty: true }, t)).toBe('must be filled in')
    expect(invalidWords({ ...field, isTooShort: true }, t)).toBe('at least 8')
    expect(invalidWords({ ...field, isNumeric: true }, t)).toBe('a number')
    expect(invalidWords(field, t)).toBe('must be an address')
    expect(invalidWords({ ...field, name: 'constructor' }, t)).toBe('has not the right form')
  })

  it('shows its words as a sentence with a capital', () => {
    expect([asSentence('must be short'), asSentence('必须填写'), asSentence('')]).toEqual([
      'Must be short',
      '必须填写',
      '',
    ])
  })
})

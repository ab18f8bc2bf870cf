// A planted fault counts as caught only when a test failed, and as survived only when tests ran.
import { describe, expect, it } from 'vitest'
import { verdictOf } from './verdict.ts'

/** As vitest writes it. */
function reportOf(tests: Record<string, string>, message = ''): string {
  const assertionResults = Object.entries(tests).map(([fullName, status]) => ({ fullName, status }))
  return JSON.stringify({
    numTotalTests: assertionResults.length,
    testResults: [{ name: '/x/a.test.ts', message, assertionResults }],
  })
}

describe('a planted fault', () => {
  it('is caught by the first test that fails', () => {
    const report = reportOf({ adds: 'passed', sorts: 'failed', ends: 'failed' })
    expect(verdictOf({ code: 1, report, output: '' })).toEqual({ kind: 'caught', by: 'sorts' })
  })

  it('is caught when the tests do not end', () => {
    expect(verdictOf({ code: null, report: null, output: '' })).toMatchObject({ kind: 'caught' })
  })

  it('is caught by an error that belongs to no test', () => {
    expect(verdictOf({ code: 1, report: reportOf({ adds: 'passed' }), output: '' })).toMatchObject({ kind: 'caught' })
  })

  it('survives when every test passes', () => {
    expect(verdictOf({ code: 0, report: reportOf({ adds: 'passed' }), output: '' })).toEqual({ kind: 'survived' })
  })
})

describe('nothing is reported', () => {
  it('when a file of tests could not be read', () => {
    const verdict = verdictOf({ code: 1, report: reportOf({}, 'Unexpected token'), output: '' })
    expect(verdict).toEqual({ kind: 'no-answer', why: '/x/a.test.ts: Unexpected token' })
  })

  it('when there was no test', () => {
    expect(verdictOf({ code: 0, report: reportOf({}), output: '' })).toMatchObject({ kind: 'no-answer' })
  })

  it('when no report was written: then its last words count', () => {
    expect(verdictOf({ code: 1, report: null, output: 'No test files found' })).toEqual({
      kind: 'no-answer',
      why: 'No test files found',
    })
  })
})

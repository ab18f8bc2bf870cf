// No finding is created without an action, and those that only a person can fix have a link.
import { describe, expect, it } from 'vitest'
import { healthyBox, WELL_BOX } from '#test/fixtures/healthy-box.ts'
import { finding, opening } from './finding.ts'
import { healthOf } from './health.ts'

describe('a finding', () => {
  it('without an act does not compile', () => {
    // @ts-expect-error an action is missing
    finding('box-hot', { severity: 'warning' })
    // @ts-expect-error an empty list is not an action
    finding('box-hot', { severity: 'warning', act: null })
    const act = opening('open-care', '/care')
    expect(finding('box-hot', { severity: 'warning', act })).toMatchObject({ id: 'box-hot', act })
  })

  it('that only hands can mend leads to a page', () => {
    const update = { undoneVersion: null, availableVersion: '1.5.0' }
    const people = { users: 0, sinceMs: null, backupMs: null, pageUrls: ['http://127.0.0.1:8080'] }
    const found = healthOf(healthyBox({ box: { ...WELL_BOX, update, temperatureCelsius: 85 }, people }))
    expect(Object.fromEntries(found.map(({ key, act }) => [key, act?.kind === 'open' ? act.to : null]))).toEqual({
      'box-hot': '/care',
      'update-available': '/care',
      'nobody-signs-in': '/setup',
      'page-only-here': '/settings',
    })
  })
})

// What is typed into the search leads to the page that shows it, and never to one that is not there.
import { describe, expect, it } from 'vitest'
import { asId } from '#shared/ids.ts'
import { NAV_PAGES } from './nav.ts'
import { pagesNamed, subjectTarget, targetOfId, targetOfThing } from './search-targets.ts'

const ORDER = 'ord_01jd3k5v8wz9x0y1a2b3c4d5e6'
const everywhere = () => true

describe('an id', () => {
  it('leads to the page of the thing', () => {
    expect(targetOfId(` ${ORDER} `, everywhere)).toEqual({ to: `/orders/${ORDER}`, search: {} })
    expect(targetOfId('pj_01jd3k5v8wz9x0y1a2b3c4d5e6', everywhere)).toEqual({
      to: '/orders',
      search: { text: 'pj_01jd3k5v8wz9x0y1a2b3c4d5e6' },
    })
  })

  it('leads nowhere where its page is not there, or its kind is unknown', () => {
    expect(targetOfId(ORDER, (to) => to !== '/orders/$id')).toBeNull()
    for (const text of ['', 'ord_', 'constructor', 'xyz_01jd3k5v8wz9x0y1a2b3c4d5e6', '41'])
      expect(targetOfId(text, everywhere), text).toBeNull()
  })
})

it('a part of its name finds a page, whatever the case', () => {
  expect(pagesNamed('KEY', NAV_PAGES, ({ key }) => key).map(({ to }) => to)).toEqual(['/keys'])
})

describe('what a line of the audit log was done to', () => {
  const line = {
    subject: ORDER,
    subjectName: 'kiosk-41',
    merchantId: 'M-PROD-1',
    environment: 'live' as const,
    about: null,
  }

  it('is shown at its own restaurant and environment', () => {
    expect(subjectTarget(line)).toEqual({
      to: `/orders/${ORDER}`,
      search: { merchant: 'M-PROD-1', environment: 'live' },
    })
    expect(subjectTarget({ ...line, subject: 'M-PROD-1' })?.to).toBe('/settings')
  })

  it('is shown by its name among the kitchens if it is a box', () => {
    expect(subjectTarget({ ...line, subject: 'gw_1', subjectName: 'Grill' })?.search).toMatchObject({ q: 'Grill' })
  })

  it('is shown with its order if it is a print job, and nowhere if it is of none', () => {
    const job = { ...line, subject: 'pj_1', subjectName: null }
    const order = { serviceOrderId: asId<'ord'>(ORDER), number: '41' }
    expect(subjectTarget({ ...job, about: { kind: 'job', order } })?.to).toBe(`/orders/${ORDER}`)
    expect(subjectTarget({ ...job, about: { kind: 'job', order: null } })).toBeNull()
  })

  it('is shown nowhere if it is gone, of no restaurant that is there, or without a page', () => {
    expect(subjectTarget({ ...line, subjectName: null, merchantId: null })).toBeNull()
    expect(subjectTarget({ ...line, merchantId: null })).toBeNull()
    expect(subjectTarget({ ...line, subject: 'ntc_1' })).toBeNull()
  })
})

describe('an object that the relay knows', () => {
  const thing = {
    id: 'pj_01jd3k5v8wz9x0y1a2b3c4d5e6',
    merchantId: 'M-TEST-FLAKY',
    serviceOrderId: null,
    webhookId: null,
  }

  it('is shown at its own restaurant', () => {
    expect(targetOfThing({ ...thing, kind: 'event', id: 'evt_1' })).toEqual({
      to: '/events/evt_1',
      search: { merchant: 'M-TEST-FLAKY' },
    })
  })

  it('is shown under the id of the relay if it was named by that of its client', () => {
    const named = { ...thing, kind: 'order', id: 'kiosk-41', serviceOrderId: ORDER } as unknown as Parameters<
      typeof targetOfThing
    >[0]
    expect(targetOfThing(named)?.to).toBe(`/orders/${ORDER}`)
  })

  it('is shown with its order if it is a print job, and nowhere if that has none', () => {
    const ofOrder = { ...thing, kind: 'job', serviceOrderId: ORDER } as unknown as Parameters<typeof targetOfThing>[0]
    expect(targetOfThing(ofOrder)?.to).toBe(`/orders/${ORDER}`)
    expect(targetOfThing({ ...thing, kind: 'job' })).toBeNull()
  })
})

// Account, restaurant and environment in the address: what stays and what is removed when a part of it changes.
import { describe, expect, it } from 'vitest'
import { changedPlace, placeSearch } from './place-search.ts'

const NOW = { account: 'acc_1', merchant: 'M-TEST-BISTRO', environment: 'sandbox' } as const

describe('an address', () => {
  it('has account, restaurant and environment, and nothing else', () => {
    expect(placeSearch({ ...NOW, text: '41' })).toEqual(NOW)
    expect(placeSearch({ account: 7, environment: 'moon' })).toEqual({})
  })
})

describe('a change of place', () => {
  it('to another restaurant keeps account and environment', () => {
    expect(changedPlace(NOW, { merchant: 'M-TEST-FLAKY' })).toEqual({ ...NOW, merchant: 'M-TEST-FLAKY' })
  })

  it('to the other environment forgets the restaurant, which is not there', () => {
    expect(changedPlace(NOW, { environment: 'live' })).toEqual({ account: 'acc_1', environment: 'live' })
  })

  it('to another account forgets restaurant and environment: what was chosen there before counts', () => {
    expect(changedPlace(NOW, { account: 'acc_2' })).toEqual({ account: 'acc_2' })
  })

  it('to where one is changes nothing', () => {
    expect(changedPlace(NOW, { account: 'acc_1', environment: 'sandbox' })).toEqual(NOW)
  })
})

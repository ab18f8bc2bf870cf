// The form of the late minutes: what is empty stays as usual, and half a row is filled up.
import { expect, it } from 'vitest'
import { lateDraftOf, minutesWithout, thresholdsFrom } from './late-draft.ts'

const own = { usual: { soonMin: 6, lateMin: 12 }, catering: { soonMin: 30, lateMin: 60 } }

it('sends what it began with, and nothing of empty rows', () => {
  expect(thresholdsFrom(lateDraftOf(own))).toEqual(own)
  expect(thresholdsFrom(lateDraftOf({}))).toEqual({})
})

it('fills half a row with the minute that holds without it, so that soon is never after late', () => {
  const draft = { ...lateDraftOf({}), usual: { soonMin: '', lateMin: '4' }, delivery: { soonMin: '20', lateMin: '' } }
  expect(thresholdsFrom(draft)).toEqual({ usual: { soonMin: 4, lateMin: 4 }, delivery: { soonMin: 20, lateMin: 20 } })
})

it('sends what is no minute, and soon after late, as they were typed, so that the box refuses them', () => {
  const draft = {
    ...lateDraftOf({}),
    catering: { soonMin: '40', lateMin: '30' },
    usual: { soonMin: '', lateMin: '200' },
  }
  expect(thresholdsFrom(draft)).toEqual({ catering: { soonMin: 40, lateMin: 30 }, usual: { soonMin: 5, lateMin: 200 } })
})

it('shows in empty fields what holds there: the minutes of the other orders, or the usual ones', () => {
  const draft = lateDraftOf(own)
  expect(minutesWithout('takeaway', draft)).toEqual({ soonMin: 6, lateMin: 12 })
  expect(minutesWithout('usual', draft)).toEqual({ soonMin: 5, lateMin: 10 })
  expect(minutesWithout('delivery', draft)).toEqual({ soonMin: 8, lateMin: 15 })
})

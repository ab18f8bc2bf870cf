// What a new screen is proposed to be, and which stations can be picked for it.
import { describe, expect, it } from 'vitest'
import { isPicked, pickedAfter, purposeOfNew, screenOf, stationChoices } from './screen-purpose.ts'

const station = (name: string, ...by: ('station' | 'expo')[]) => ({
  name,
  screens: by.map((one, n) => ({ displayId: `dsp_${n}`, by: one })),
})

describe('a new screen', () => {
  it('is suggested for the stations that have no screen of their own, also beside an expo', () => {
    const known = [station('Grill', 'station', 'expo'), station('Fry', 'expo'), station('Bar')]
    expect(purposeOfNew(known)).toEqual({ kind: 'station', stations: ['Fry', 'Bar'], another: '' })
  })

  it('is an expo where every station has its screen, and where no station is known', () => {
    expect(purposeOfNew([station('Grill', 'station')])).toMatchObject({ kind: 'expo', stations: [] })
    expect(purposeOfNew([])).toMatchObject({ kind: 'expo', stations: [] })
  })
})

describe('the stations of a screen', () => {
  it('are picked from the known ones: those without a screen first, then those that nothing else names', () => {
    const known = [station('Grill', 'station'), station('Fry')]
    expect(stationChoices(known, ['GRILL', 'Wok'])).toEqual([
      { name: 'Fry', lacksScreen: true },
      { name: 'Grill', lacksScreen: false },
      { name: 'Wok', lacksScreen: false },
    ])
  })

  it('are ticked whatever their case, and lose nothing by a tick of another one', () => {
    expect(isPicked(['GRILL'], 'grill')).toBe(true)
    expect(pickedAfter(['GRILL', 'Fry'], 'grill', false)).toEqual(['Fry'])
    expect(pickedAfter(['Fry'], 'Grill', true)).toEqual(['Fry', 'Grill'])
  })

  it('are sent with those that were typed, each once, and only of a station’s screen', () => {
    const purpose = { stations: ['Grill'], another: 'Wok， grill, ' }
    expect(screenOf({ kind: 'station', ...purpose })).toEqual({ kind: 'kitchen', stations: ['Grill', 'Wok'] })
    expect(screenOf({ kind: 'expo', ...purpose })).toEqual({ kind: 'kitchen', stations: [] })
    expect(screenOf({ kind: 'runner', ...purpose })).toEqual({ kind: 'runner', stations: [] })
    expect(screenOf({ kind: 'pick-up', ...purpose })).toEqual({ kind: 'pick-up', stations: [] })
  })
})

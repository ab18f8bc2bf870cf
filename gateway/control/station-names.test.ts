// A typing error is distinguished from another name: Gril is Grill, Grill 2 is not Grill 1.
import { describe, expect, it } from 'vitest'
import { isNearMiss } from './stations.ts'

describe('two names of stations', () => {
  it.each([
    ['Gril', 'Grill'],
    ['Grlil', 'grill'],
    ['Fryer', 'Fryers'],
    ['bars', 'bar'],
    ['Pâtisserie', 'Patisserie'],
    ['Cold-Kitchen', 'cold kitchen'],
    ['Desert', 'Dessert'],
    ['Garde mangr', 'Garde manger'],
  ])('%s and %s are one, slipped', (one, other) => {
    expect([isNearMiss(one, other), isNearMiss(other, one)]).toEqual([true, true])
  })

  it.each([
    ['Grill', 'grill '],
    ['Grill 1', 'Grill 2'],
    ['Bar', 'Bar 2'],
    ['bar', 'car'],
    ['fry', 'dry'],
    ['Grill', 'Pizza'],
    ['热菜', '冷菜'],
    ['Sushi', ''],
  ])('%s and %s are two, or the same', (one, other) => {
    expect([isNearMiss(one, other), isNearMiss(other, one)]).toEqual([false, false])
  })
})

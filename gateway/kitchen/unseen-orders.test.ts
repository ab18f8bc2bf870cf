// Which open orders no screen shows, and which only expo shows because the screen of their station is silent.
import { describe, expect, it } from 'vitest'
import type { DisplayRecord } from '#gateway/storage/display-store.ts'
import type { BoardOrder } from '#shared/wire/kitchen.ts'
import { kitchenScreens } from './adoption.ts'
import { unseenOrders } from './unseen-orders.ts'

const display = (displayId: string, stations: string[]) =>
  ({
    displayId,
    name: displayId,
    stations,
    backupPrinterId: null,
    kind: 'kitchen',
    claimedAtMs: 1,
  }) as unknown as DisplayRecord
const order = (orderId: string, ...stations: string[]) => {
  const none = { readyAtMs: null, pickedUpAtMs: null, voidedAtMs: null, isScheduled: false }
  return { orderId, ...none, lines: stations.map((station) => ({ station })), stations: [] } as unknown as BoardOrder
}
const GRILL = display('grill', ['grill'])
const FRY = display('fry', ['fry'])
const EXPO = display('expo', [])
const ORDERS = [order('1', 'grill'), order('2', 'grill', 'fry'), order('3', 'fry')]

const countsOf = (all: DisplayRecord[], silent: string[], onPaper: string[] = []) => {
  const isSilent = (id: string) => silent.includes(id)
  const kitchen = kitchenScreens(all, ({ displayId }) => !isSilent(displayId))
  return unseenOrders(ORDERS, { kitchen, isSilent, isOnPaper: (_, orderId) => onPaper.includes(orderId) }).byDisplay
}

describe('the orders of a silent screen', () => {
  it('that expo alone shows are counted apart from those on no screen', () => {
    expect(countsOf([GRILL, FRY, EXPO], ['grill']).get('grill')).toEqual({ unseen: 0, printed: 0, onExpo: 2 })
    expect(countsOf([GRILL, FRY], ['grill']).get('grill')).toEqual({ unseen: 2, printed: 0, onExpo: 0 })
  })

  it('that were printed in its place are paper, also while expo shows them', () => {
    expect(countsOf([GRILL, FRY, EXPO], ['grill'], ['1']).get('grill')).toEqual({ unseen: 0, printed: 1, onExpo: 1 })
  })

  it('that a further screen of the station shows cost nothing, nor do those of expo', () => {
    const none = { unseen: 0, printed: 0, onExpo: 0 }
    expect(countsOf([GRILL, display('grill-2', ['grill']), EXPO], ['grill']).get('grill')).toEqual(none)
    expect(countsOf([GRILL, FRY, EXPO], ['expo']).get('expo')).toEqual(none)
  })
})

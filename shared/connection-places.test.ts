// Places for connections: which new one is accepted when there are none left, and which one is closed for it.
import { EventEmitter } from 'node:events'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { assertProperty } from '#test/harness/property.ts'
import { ConnectionPlaces } from './connection-places.ts'

let server: EventEmitter
let places: ConnectionPlaces
let ports = 0
beforeEach(() => placesOf(4, 2))
function placesOf(most: number, mostOfAddress: number): void {
  server = new EventEmitter()
  places = new ConnectionPlaces({
    most,
    sharesOf: (address) => (address === 'proxy' ? [] : [{ name: address, most: mostOfAddress }]),
  })
  places.watch(server as never)
}

interface Opened extends EventEmitter {
  remoteAddress: string | undefined
  remotePort: number
  localPort: number
  destroyed: boolean
  destroy(): void
}

function open(remoteAddress: string | undefined, remotePort = ++ports): Opened {
  const socket = Object.assign(new EventEmitter(), { remoteAddress, remotePort, localPort: 80, destroyed: false })
  const opened = Object.assign(socket, {
    destroy: () => {
      socket.destroyed = true
      socket.emit('close')
    },
  })
  server.emit('connection', opened)
  return opened
}

/** Its headers are here. By https it comes by another socket of the same ends. */
function ask({ remoteAddress, remotePort, localPort }: Opened, complete = true) {
  const response = Object.assign(new EventEmitter(), { writableEnded: false, writableNeedDrain: false })
  const request = { socket: { remoteAddress, remotePort, localPort }, complete }
  server.emit('request', request, response)
  return { request, response, answered: () => response.emit('close') }
}

const gone = (sockets: readonly Opened[]) => sockets.map(({ destroyed }) => destroyed)

describe('where an address has no place left', () => {
  it('its own connection that was idle for longest goes, and no other', () => {
    const [other, first, second] = [open('b'), open('a'), open('a')]
    const third = open('a')
    expect(gone([other, first, second, third])).toEqual([false, true, false, false])
  })

  it('the newcomer goes when each of the others waits for an answer', () => {
    const both = [open('a'), open('a')]
    for (const each of both) ask(each)
    const third = open('a')
    expect(gone([...both, third])).toEqual([false, false, true])
    expect(gone([open('b')])).toEqual([false])
  })

  it('one that was answered last is idle last', () => {
    const [first, second] = [open('a'), open('a')]
    ask(first).answered()
    expect(gone([open('a'), first, second])).toEqual([false, false, true])
  })

  it('a connection with a second request before its first answer is not idle', () => {
    const [first, second] = [open('a'), open('a')]
    const one = ask(first)
    ask(first)
    ask(second)
    one.answered()
    expect(gone([open('a'), first, second])).toEqual([true, false, false])
  })
})

describe('when no place is free', () => {
  it('the one that was idle for longest goes: a newcomer always gets in', () => {
    const held = [open('a'), open('a'), open('b'), open('b')]
    expect(gone([open('c'), ...held])).toEqual([false, true, false, false, false])
  })

  it('then the one whose body has been arriving for longest', () => {
    const held = [open('a'), open('b'), open('c'), open('d')]
    for (const [n, each] of held.entries()) ask(each, n === 0)
    expect(gone([open('e'), ...held])).toEqual([false, false, true, false, false])
  })

  it('never one that waits for an answer, also when its next request is still coming', () => {
    const held = [open('a'), open('b'), open('c'), open('d')]
    for (const each of held) {
      ask(each)
      ask(each, false)
    }
    expect(gone([open('e'), ...held])).toEqual([true, false, false, false, false])
  })

  it('or the one that has not read its answer for longest, in whole or in part; never one whose answer is in progress', () => {
    const held = [open('a'), open('b'), open('c'), open('d')]
    const [, whole, part] = held.map((each) => ask(each).response)
    Object.assign(whole ?? {}, { writableEnded: true })
    Object.assign(part ?? {}, { writableNeedDrain: true })
    const newcomer = open('e')
    expect(gone([newcomer, ...held])).toEqual([false, false, true, false, false])
    ask(newcomer)
    expect(gone([open('f'), newcomer, ...held])).toEqual([false, false, false, true, true, false])
  })

  it('it is one of the address that holds the most, however long others are idle', () => {
    placesOf(6, 4)
    const few = [open('b'), open('c')]
    const many = [open('a'), open('a'), open('a'), open('a')]
    for (const each of many.slice(1)) Object.assign(ask(each).response, { writableNeedDrain: true })
    const [d, e] = [open('d'), open('e')]
    expect(gone([...few, ...many, d, e])).toEqual([false, false, true, true, false, false, false, false])
  })

  it('or of another one, when each of that address waits for its answer', () => {
    placesOf(4, 4)
    const [b, ...many] = [open('b'), open('a'), open('a'), open('a')] as const
    const [first] = many.map((each) => ask(each))
    expect(gone([open('c'), b, ...many])).toEqual([false, true, false, false, false])
    first?.answered()
    const d = open('d')
    expect(gone([d, ...many])).toEqual([false, true, false, false])
  })

  it('also with requests behind the answer that it does not read, or behind one that is held back', () => {
    const held = [open('a'), open('b'), open('c'), open('d')]
    const [, unread, late] = held.map((each) => {
      const first = ask(each)
      ask(each)
      return first
    })
    Object.assign(unread?.response ?? {}, { writableNeedDrain: true })
    if (late) places.makeWay(late.request)
    for (const address of ['e', 'f']) ask(open(address))
    expect(gone(held)).toEqual([false, true, true, false])
    expect(gone([open('g')])).toEqual([true])
  })

  it('one without a share of its own may hold all, and is closed like others', () => {
    const held = [open('proxy'), open('proxy'), open('proxy'), open('proxy')]
    expect(gone(held)).toEqual([false, false, false, false])
    expect(gone([open('a'), ...held])).toEqual([false, true, false, false, false])
  })
})

it('one whose answer is held back is closed like an idle one, and is busy again with its next request', () => {
  const [first, second] = [open('a'), open('a')]
  const [one] = [ask(first), ask(second)]
  places.makeWay(one.request)
  one.answered()
  const next = ask(first)
  expect(gone([open('a'), first, second])).toEqual([true, false, false])
  places.makeWay(next.request)
  expect(gone([open('a'), first, second])).toEqual([false, true, false])
})

it('one whose answer is held back is idle from then on, and is closed before one that was answered later', () => {
  const [first, second] = [open('a'), open('a')]
  const [one, two] = [ask(first), ask(second)]
  places.makeWay(one.request)
  two.answered()
  expect(gone([open('a'), first, second])).toEqual([false, true, false])
})

it('one whose answer is held back, or was sent, has one place as before', () => {
  const first = open('a')
  const { request } = ask(first)
  places.makeWay(request)
  const second = open('a')
  ask(second).answered()
  expect(gone([first, second])).toEqual([false, false])
  expect(gone([open('b'), open('b'), first, second])).toEqual([false, false, false, false])
})

describe('a client that has reset its connection before it was accepted', () => {
  it('has no address any more: it gets no place and takes none', () => {
    placesOf(4, 4)
    const held = [open('a'), open('b')]
    const resets = Array.from({ length: 20 }, () => open(undefined))
    expect(resets.every(({ destroyed }) => destroyed)).toBe(true)
    expect(gone([open('c'), open('d'), ...held])).toEqual([false, false, false, false])
    expect(gone([open('e'), ...held])).toEqual([false, true, false])
  })

  it('and reconnects from the same port before the first connection is known to have ended: each counts, and ends for itself', () => {
    placesOf(4, 3)
    const [first, second] = [open('a', 7), open('a', 7)]
    ask(second)
    const third = open('a')
    expect(gone([open('a'), first, second, third])).toEqual([false, true, false, false])
    const fourth = open('a')
    expect(gone([second, third, fourth])).toEqual([false, true, false])
    ask(second).answered()
  })
})

it('the end of an earlier connection from the same port changes nothing for the one that is there now', () => {
  const [first, second] = [open('a', 7), open('a', 7)]
  first.destroy()
  ask(second)
  expect(gone([open('a'), second])).toEqual([false, false])
  expect(gone([open('a'), second])).toEqual([false, false])
})

it('one that went while it was answered takes no place when that answer ends', () => {
  const [first, second] = [open('a'), open('a')]
  const asked = ask(first)
  first.destroy()
  asked.answered()
  expect(gone([open('a'), second])).toEqual([false, false])
})

it('a connection that is no HTTP any more gives its place back', () => {
  const held = [open('a'), open('a')]
  for (const each of held) places.leave(each)
  expect(gone([open('a'), open('a'), ...held])).toEqual([false, false, false, false])
})

it('no share ever exceeds its limit, whatever connects and disconnects', () => {
  const act = fc.record({
    address: fc.constantFrom('a', 'b', 'c', 'proxy'),
    what: fc.constantFrom('open', 'ask', 'answer', 'close'),
  })
  assertProperty(
    fc.property(fc.array(act, { maxLength: 80 }), (acts) => {
      placesOf(4, 2)
      const living = new Map<Opened, ReturnType<typeof ask>[]>()
      for (const { address, what } of acts) {
        const own = [...living.keys()].find((socket) => socket.remoteAddress === address && !socket.destroyed)
        if (what === 'open') living.set(open(address), [])
        else if (own && what === 'ask') living.get(own)?.push(ask(own))
        else if (own && what === 'answer') living.get(own)?.pop()?.answered()
        else if (own && what === 'close') {
          own.destroyed = true
          own.emit('close')
        }
        const held = [...living.keys()].filter(({ destroyed }) => !destroyed)
        expect(held.length).toBeLessThanOrEqual(4)
        for (const name of ['a', 'b', 'c'])
          expect(held.filter(({ remoteAddress }) => remoteAddress === name).length).toBeLessThanOrEqual(2)
      }
    }),
  )
})

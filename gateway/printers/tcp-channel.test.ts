// Which of a name's addresses a printer is connected to.
import { describe, expect, it } from 'vitest'
import { ipv4First } from './tcp-channel.ts'

const V4 = { address: '192.168.1.50', family: 4 }
const V6 = { address: 'fd00::50', family: 6 }

describe('a name', () => {
  it('resolves to its IPv4 addresses only, and to others only if it has none', () => {
    expect(ipv4First([V6, V4])).toEqual([V4])
    expect(ipv4First([V6])).toEqual([V6])
  })
})

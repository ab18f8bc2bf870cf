// Real-time commands are found anywhere in the stream.
import { expect, it } from 'vitest'
import { RealTimeScanner } from './real-time.ts'

it('finds a status request inside an image, split over chunks', () => {
  const scanner = new RealTimeScanner()
  expect(scanner.push(Buffer.from('1d7630000100050000ff10', 'hex'))).toEqual([])
  expect(scanner.push(Buffer.from('04', 'hex'))).toEqual([])
  expect(scanner.push(Buffer.from('0200', 'hex'))).toEqual([{ name: 'DLE EOT', n: 2 }])
})

it('finds commands that follow a stray DLE, and ignores undefined values', () => {
  const scanner = new RealTimeScanner()
  expect(scanner.push(Buffer.from('10100501' + '100409' + '10100402' + '1014081014', 'hex'))).toEqual([
    { name: 'DLE ENQ', n: 1 },
    { name: 'DLE EOT', n: 2 },
    { name: 'DLE DC4', n: 8 },
  ])
})

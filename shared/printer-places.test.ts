// A page's immediate check of a printer's address agrees with the box's later check.
import { expect, test } from 'vitest'
import { placeTrouble } from './printer-places.ts'

test.each([
  ['127.0.0.1', 'itself'],
  ['127.255.255.254', 'itself'],
  ['169.254.169.254', 'link-local'],
  ['224.0.0.251', 'group'],
  ['255.255.255.255', 'group'],
  ['0.0.0.0', 'nobody'],
  ['250.1.2.3', 'nobody'],
  ['8.8.8.8', 'elsewhere'],
  ['172.32.0.1', 'elsewhere'],
  ['172.31.255.254', null],
  ['10.0.0.7', null],
  ['192.168.1.50', null],
])('%s is %s', (host, trouble) => {
  expect(placeTrouble({ host, port: 9_100 })).toBe(trouble)
})

test('the ports are those of raw printing', () => {
  const told = [9_099, 9_100, 9_109, 9_110].map((port) => placeTrouble({ host: '192.168.1.50', port }))
  expect(told).toEqual(['port', null, null, 'port'])
})

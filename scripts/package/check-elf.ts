// Whether a kernel with larger pages (16 KiB on a Raspberry Pi 5) can map a program without taking a permission away from part of it.
import { closeSync, openSync, readSync } from 'node:fs'

const PT_LOAD = 1

interface Segment {
  flags: number
  offset: bigint
  address: bigint
  size: bigint
}

/** What is unsafe about the file at this page size, in words; empty when it is safe. 64-bit little-endian ELF only. */
export function unsafeSegments(file: string, pageBytes: number): string[] {
  const segments = loadSegments(file)
  const page = BigInt(pageBytes)
  const unaligned = segments
    .filter(({ offset, address }) => offset % page !== address % page)
    .map(({ offset, address }) => `offset ${hex(offset)} and address ${hex(address)} disagree modulo the page`)
  return [
    ...unaligned,
    ...segments.flatMap((earlier, i) => segments.slice(i + 1).flatMap((later) => overlap(earlier, later, page))),
  ]
}

/** The kernel maps in the table's order: a later segment that reaches into a page of an earlier one replaces that page. */
function overlap(earlier: Segment, later: Segment, page: bigint): string[] {
  const from = max(earlier.address, (later.address / page) * page)
  const to = min(earlier.address + earlier.size, ((later.address + later.size + page - 1n) / page) * page)
  const loses = (earlier.flags & ~later.flags) !== 0
  return from < to && loses ? [`${to - from} bytes at ${hex(from)} lose the rights of their segment`] : []
}

function loadSegments(file: string): Segment[] {
  const fd = openSync(file, 'r')
  const head = Buffer.alloc(64)
  readSync(fd, head, 0, 64, 0)
  const entryBytes = head.readUInt16LE(54)
  const table = Buffer.alloc(head.readUInt16LE(56) * entryBytes)
  readSync(fd, table, 0, table.length, Number(head.readBigUInt64LE(32)))
  closeSync(fd)
  const segments: Segment[] = []
  for (let at = 0; at < table.length; at += entryBytes) {
    if (table.readUInt32LE(at) !== PT_LOAD) continue
    segments.push({
      flags: table.readUInt32LE(at + 4),
      offset: table.readBigUInt64LE(at + 8),
      address: table.readBigUInt64LE(at + 16),
      size: table.readBigUInt64LE(at + 40),
    })
  }
  return segments
}

const max = (a: bigint, b: bigint): bigint => (a > b ? a : b)
const min = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const hex = (value: bigint): string => `0x${value.toString(16)}`

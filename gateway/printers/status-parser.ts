// Cuts what a printer sends into replies: pushed status, real-time status, blocks, bare status bytes. Pure: bytes in, replies out.

export type Reply =
  /** Automatic status back: four bytes, pushed at once when switched on and at each change. */
  | { kind: 'asb'; bytes: readonly [number, number, number, number] }
  /** Answer to DLE EOT n. */
  | { kind: 'real-time'; byte: number }
  /** `head`, text, NUL: GS I 66/67 (5F), GS ( H and DLE DC4 8 (37). `text` is without head and NUL. */
  | { kind: 'block'; head: number; text: string }
  /** Pattern of a GS r or GS I 1 answer. Means something only while such a question is open. */
  | { kind: 'bare'; byte: number }
  /** Belongs to no answer: greetings, banners, flow control of serial lines, rubbish. */
  | { kind: 'noise'; byte: number }

const BLOCK_HEADS: ReadonlySet<number> = new Set([0x35, 0x37, 0x39, 0x3b, 0x3d, 0x5f])
// Epson's longest block is 80 bytes of text; anything longer is a banner.
const LONGEST_BLOCK = 128

/** Streaming: replies may come split at any byte or glued together. Never throws, holds at most one block. */
export class StatusParser {
  #pending: number[] = []

  push(chunk: Uint8Array): Reply[] {
    const replies: Reply[] = []
    for (const byte of chunk) {
      this.#pending.push(byte)
      for (let step = take(this.#pending); step; step = take(this.#pending)) {
        this.#pending.splice(0, step.length)
        replies.push(step.reply)
      }
    }
    return replies
  }
}

/** The reply that stands at the start of `bytes`, or null when it is not complete yet. */
function take(bytes: readonly number[]): { reply: Reply; length: number } | null {
  const first = bytes[0]
  if (first === undefined) return null
  if (BLOCK_HEADS.has(first)) return takeBlock(first, bytes)
  if ((first & 0x93) === 0x10) return takeAsb(first, bytes)
  if ((first & 0x93) === 0x12) return { reply: { kind: 'real-time', byte: first }, length: 1 }
  if ((first & 0x90) === 0) return { reply: { kind: 'bare', byte: first }, length: 1 }
  return noise(first)
}

function takeAsb(first: number, bytes: readonly number[]): { reply: Reply; length: number } | null {
  const [, second, third, fourth] = bytes
  // ESC/POS "transmission status identification": bits 4 and 7 are clear in bytes two to four.
  for (const byte of bytes.slice(1, 4)) if ((byte & 0x90) !== 0) return noise(first)
  if (second === undefined || third === undefined || fourth === undefined) return null
  return { reply: { kind: 'asb', bytes: [first, second, third, fourth] }, length: 4 }
}

function takeBlock(head: number, bytes: readonly number[]): { reply: Reply; length: number } | null {
  const last = bytes[bytes.length - 1] ?? 0
  if (bytes.length === 1) return null
  if (last === 0) {
    const text = String.fromCharCode(...bytes.slice(1, -1))
    return { reply: { kind: 'block', head, text }, length: bytes.length }
  }
  // Blocks are printable text: anything else shows that this was a banner, and what follows may be a real answer.
  if (last < 0x20 || last > 0x7e || bytes.length > LONGEST_BLOCK) return noise(head)
  return null
}

function noise(byte: number): { reply: Reply; length: number } {
  return { reply: { kind: 'noise', byte }, length: 1 }
}

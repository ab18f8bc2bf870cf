// Cuts what a printer sends into replies: pushed status, real-time status, blocks, bare status bytes. Pure: bytes in, replies out.

export type Reply =
  /** Automatic status back: four bytes, pushed at once when switched on and at each change. */
  | { kind: 'asb'; bytes: readonly [number, number, number, number] }
  /** Answer to DLE EOT n. */
  | { kind: 'real-time'; byte: number }
  /** `head`, text, NUL: GS I 66/67 (5F), GS ( H and DLE DC4 8 (37). `text` is without head and NUL. */
  | { kind: 'block'; head: number; text: string }
  /** Pattern of a GS r or GS I 1 answer. Meaningful only while such a query is open. */
  | { kind: 'bare'; byte: number }
  /** A run of bytes that belong to no answer: greetings, banners, invalid bytes; not strange if it is only flow control of serial lines. */
  | { kind: 'noise'; length: number; isStrange: boolean }

const BLOCK_HEADS: ReadonlySet<number> = new Set([0x35, 0x37, 0x39, 0x3b, 0x3d, 0x5f])
/** Head and text. Epson's longest block has 80 bytes of text; anything longer is a banner. */
const LONGEST_BLOCK = 128
const ASB_BYTES = 4
/** XON and XOFF: serial converters let them through. */
const FLOW_CONTROL: ReadonlySet<number> = new Set([0x11, 0x13])

/** Streaming: replies may be split at any byte or joined. Never throws, keeps at most one block, reads each byte only a few times. */
export class StatusParser {
  /** The beginning of an incomplete reply. */
  #rest: Uint8Array = new Uint8Array()

  push(chunk: Uint8Array): Reply[] {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    const replies: Reply[] = []
    let at = 0
    /** The end of the printable bytes after `at`: found once for each run, however many of them look like the head of a block. */
    let textEnd = 0
    while (at < bytes.length) {
      const first = bytes[at] ?? 0
      if (BLOCK_HEADS.has(first) && textEnd <= at) textEnd = endOfText(bytes, at + 1)
      const step = take(bytes, at, textEnd)
      if (step === null) break
      at += step === 'noise' ? 1 : step.length
      if (step === 'noise') noteNoise(replies, !FLOW_CONTROL.has(first))
      else replies.push(step.reply)
    }
    this.#rest = Uint8Array.prototype.slice.call(bytes, at)
    return replies
  }
}

type Step = { reply: Reply; length: number } | 'noise' | null

/** The reply at `at`, or null when it is not complete yet. */
function take(bytes: Uint8Array, at: number, textEnd: number): Step {
  const first = bytes[at] ?? 0
  if (BLOCK_HEADS.has(first)) return takeBlock(bytes, at, textEnd)
  if ((first & 0x93) === 0x10) return takeAsb(bytes, at)
  if ((first & 0x93) === 0x12) return { reply: { kind: 'real-time', byte: first }, length: 1 }
  if ((first & 0x90) === 0) return { reply: { kind: 'bare', byte: first }, length: 1 }
  return 'noise'
}

function takeAsb(bytes: Uint8Array, at: number): Step {
  const end = Math.min(at + ASB_BYTES, bytes.length)
  // ESC/POS "transmission status identification": bits 4 and 7 are clear in bytes two to four.
  for (let i = at + 1; i < end; i++) if (((bytes[i] ?? 0) & 0x90) !== 0) return 'noise'
  if (end - at < ASB_BYTES) return null
  const [first = 0, second = 0, third = 0, fourth = 0] = bytes.subarray(at, end)
  return { reply: { kind: 'asb', bytes: [first, second, third, fourth] }, length: ASB_BYTES }
}

function takeBlock(bytes: Uint8Array, at: number, textEnd: number): Step {
  if (textEnd - at > LONGEST_BLOCK) return 'noise'
  if (textEnd === bytes.length) return null
  // Blocks are printable text: anything else shows that this was a banner, and what follows may be a real answer.
  if (bytes[textEnd] !== 0) return 'noise'
  let text = ''
  for (let i = at + 1; i < textEnd; i++) text += String.fromCharCode(bytes[i] ?? 0)
  return { reply: { kind: 'block', head: bytes[at] ?? 0, text }, length: textEnd + 1 - at }
}

function endOfText(bytes: Uint8Array, from: number): number {
  let end = from
  for (; end < bytes.length; end++) {
    const byte = bytes[end] ?? 0
    if (byte < 0x20 || byte > 0x7e) break
  }
  return end
}

/** No object for each byte: a device may send nothing else. */
function noteNoise(replies: Reply[], isStrange: boolean): void {
  const last = replies.at(-1)
  if (last?.kind !== 'noise') {
    replies.push({ kind: 'noise', length: 1, isStrange })
    return
  }
  last.length++
  last.isStrange ||= isStrange
}

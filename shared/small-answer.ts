// Reads an answer that is small by nature: one without end must not fill the memory.

/** No refusal, pairing or answer of a sign-in is longer. */
const MOST_BYTES = 65_536

/** All of its bytes; null when there are more than 65,536. @throws Error when the connection breaks */
export async function smallAnswer({ body }: Response): Promise<Uint8Array<ArrayBuffer> | null> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > MOST_BYTES) return null
  }
  return new Uint8Array(Buffer.concat(chunks))
}

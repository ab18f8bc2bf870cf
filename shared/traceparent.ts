// The W3C's header `traceparent`: the trace of something, and the parent of its next span. https://www.w3.org/TR/trace-context/
import { z } from 'zod'

const FORMAT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/**
 * In the form of version 00, for any version received.
 * @param text untrusted: a header, a field of a document
 * @returns null: it is invalid, and counts as absent
 */
export function readTraceparent(text: unknown): string | null {
  const [, version, traceId = '', spanId = '', flags = '', rest] = (typeof text === 'string' && FORMAT.exec(text)) || []
  if (version === undefined || version === 'ff' || (version === '00' && rest !== undefined)) return null
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return null
  // The only defined flag: the sender records the trace.
  return `00-${traceId}-${spanId}-0${Number.parseInt(flags, 16) & 1}`
}

/** A field of a document. One that is wrong is left out: it must not keep anything from being printed. */
export const traceparentField = z
  .unknown()
  .transform((text) => readTraceparent(text) ?? undefined)
  .optional()

// The document of a kitchen job as the outbox keeps it, and how large it may be.
import { ServiceError } from '#shared/errors.ts'
import { type JobDoc, MOST_DOCUMENT_BYTES } from '#shared/wire/gateway-link.ts'

/**
 * An order is accepted only when everything that may be printed of it later fits: a fired course, a reprint for a named printer, each with the
 * posOrderId that an external point of sale returns late. They add less than 1 kB. docs/api.md has this figure.
 */
const MOST_ORDER_BYTES = 128_000

/** @throws ServiceError request.too_large (413): it does not fit, or what may be made of this order later would not */
export function jobText(doc: JobDoc): { doc: string; bytes: number } {
  const text = JSON.stringify(doc)
  const bytes = Buffer.byteLength(text)
  if (bytes > MOST_ORDER_BYTES && (doc.kind === 'order' || doc.kind === 'board'))
    throw new ServiceError('request.too_large', {
      message: `With the names from the catalog the order comes to ${bytes} bytes for the kitchen, and at most ${MOST_ORDER_BYTES} fit. Send it as several orders, the later ones with addOnTo.`,
    })
  if (bytes > MOST_DOCUMENT_BYTES)
    throw new ServiceError('request.too_large', { message: 'This is too large for one print job.' })
  return { doc: text, bytes }
}

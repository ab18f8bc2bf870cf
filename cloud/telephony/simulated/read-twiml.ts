// Reads TwiML as the vendor does: a document that is not well-formed XML is refused whole.
import { SaxesParser } from 'saxes'

export interface TwimlElement {
  name: string
  attributes: Readonly<Record<string, string>>
  children: readonly TwimlElement[]
  /** All text below it. */
  text: string
}

/** The vendor's limit, in bytes. */
const MOST_BYTES = 65_536

/** @returns what stands in the response, in order. @throws Error for anything that is no TwiML document */
export function readTwiml(xml: string): readonly TwimlElement[] {
  if (Buffer.byteLength(xml) > MOST_BYTES) throw new Error('longer than 64 KiB')
  const root: Open = { name: '', attributes: {}, children: [], text: '' }
  const open: Open[] = [root]
  const parser = new SaxesParser()
  parser.on('doctype', () => {
    throw new Error('it has a document type')
  })
  parser.on('opentag', ({ name, attributes }) => {
    const element: Open = { name, attributes: { ...attributes }, children: [], text: '' }
    open.at(-1)?.children.push(element)
    open.push(element)
  })
  parser.on('closetag', () => {
    const closed = open.pop()
    const parent = open.at(-1)
    if (closed !== undefined && parent !== undefined) parent.text += closed.text
  })
  for (const event of ['text', 'cdata'] as const)
    parser.on(event, (text) => {
      const inner = open.at(-1)
      if (inner !== undefined) inner.text += text
    })
  parser.write(xml).close()
  const [response] = root.children
  if (response?.name !== 'Response') throw new Error('its root is no Response')
  return response.children
}

interface Open extends TwimlElement {
  children: TwimlElement[]
  text: string
}

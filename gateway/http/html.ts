// Markup in which every value is escaped, for pages that the box writes itself.

/** Markup that is already safe. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A template that escapes every value except markup made by itself. */
export function html(
  parts: TemplateStringsArray,
  ...values: readonly (string | number | Html | readonly Html[])[]
): Html {
  const text = (value: string | number | Html | readonly Html[]): string => {
    if (value instanceof Html) return value.text
    if (typeof value === 'string' || typeof value === 'number')
      return String(value).replace(/[&<>"']/g, (c) => ESCAPES[c] ?? c)
    return value.map((one) => one.text).join('')
  }
  return new Html(parts.reduce((out, part, index) => out + text(values[index - 1] ?? '') + part))
}

// HTML from text: escaping, and the little markup that our prose has (`code`, **strong**, blank lines between paragraphs).

/** For text and for attributes in double quotes. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

/** One line of prose. */
export function inline(text: string): string {
  return escapeHtml(text)
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
}

export function paragraphs(text: string): string {
  return text
    .split('\n\n')
    .map((one) => `<p>${inline(one)}</p>`)
    .join('\n')
}

// Only requests that name this machine are answered: a web page elsewhere cannot reach the box by pointing its own name at it (DNS rebinding).

/** The name in a Host header, in lower case and without port and brackets; null when it is not a host. */
export function hostNameOf(header: string | undefined): string | null {
  const match = /^(?:\[([0-9a-f:.%a-z]+)\]|([^\s:[\]/@]+))(?::\d{1,5})?$/i.exec(header ?? '')
  return (match?.[1] ?? match?.[2])?.toLowerCase().replace(/\.$/, '') ?? null
}

/** @param rawHeaders names and values alternating, as Node keeps them: a second Host header is always refused */
export function isOurs(rawHeaders: readonly string[], ourNames: ReadonlySet<string>): boolean {
  const hosts = rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'host')
  const name = hosts.length === 1 ? hostNameOf(hosts[0]) : null
  return name !== null && ourNames.has(name)
}

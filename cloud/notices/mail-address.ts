// Parses the two settings of mail: the mail server, and the sender.
import { isLoopbackHost } from '#shared/wire/guarded-url.ts'

export interface MailServer {
  host: string
  port: number
  /** TLS from the first byte; else by STARTTLS where the server offers it. */
  isSecure: boolean
  /** Nothing is sent before TLS: a password goes over a network. */
  needsTls: boolean
  user: string | null
  password: string | null
}

/** @param url `smtp://` or `smtps://`, with user and password in it or not. @returns null when it is no such address */
export function mailServerOf(url: string): MailServer | null {
  const parsed = URL.parse(url)
  if (parsed === null || !/^smtps?:$/.test(parsed.protocol) || parsed.hostname === '') return null
  if (!/^\/?$/.test(parsed.pathname) || parsed.search !== '' || parsed.hash !== '') return null
  const isSecure = parsed.protocol === 'smtps:'
  const host = parsed.hostname.replace(/^\[(.*)\]$/, '$1')
  const [user, password] = [plain(parsed.username), plain(parsed.password)]
  if (user === null || password === null || (user === '') !== (password === '')) return null
  return {
    host,
    port: parsed.port === '' ? (isSecure ? 465 : 587) : Number(parsed.port),
    isSecure,
    needsTls: !isSecure && user !== '' && !isLoopbackHost(parsed.hostname),
    user: user === '' ? null : user,
    password: password === '' ? null : password,
  }
}

/** `mail@example.com` or `Name <mail@example.com>`. @returns null when it is neither */
export function senderOf(text: string): { name: string; address: string } | null {
  const [, name = '', inBrackets, alone] = /^(?:([^<>\p{Cc}]*)<([^<>\s]+)>|([^<>\s]+))$/u.exec(text.trim()) ?? []
  const address = inBrackets ?? alone ?? ''
  return /^[^\s@,;:"()<>]+@[^\s@,;:"()<>]+$/.test(address) ? { name: name.trim(), address } : null
}

function plain(part: string): string | null {
  try {
    return decodeURIComponent(part)
  } catch {
    return null
  }
}

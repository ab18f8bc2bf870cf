// What a page receives, file by file, in bytes of bodies as they come over the wire.
import type { Page } from 'playwright-core'

export interface SentFile {
  path: string
  bytes: number
}

export interface SentFiles {
  /** Those that came since the last time. */
  take(): SentFile[]
}

export async function sentTo(page: Page): Promise<SentFiles> {
  let files = new Map<string, SentFile>()
  const paths = new Map<string, string>()
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  session.on('Network.requestWillBeSent', ({ requestId, request }) =>
    paths.set(requestId, new URL(request.url).pathname),
  )
  session.on('Network.dataReceived', ({ requestId, encodedDataLength }) => {
    const path = paths.get(requestId) ?? ''
    files.set(requestId, { path, bytes: (files.get(requestId)?.bytes ?? 0) + encodedDataLength })
  })
  return {
    take() {
      const taken = [...files.values()]
      files = new Map()
      return taken
    },
  }
}

// The picture on receipts.
import { logoBitmap } from '#shared/raster/logo.ts'
import type { ControlContext } from './context.ts'
import type { ControlHandlers } from './control.ts'
import { ControlRefusal } from './control-refusal.ts'

/** Width that most printers have; narrower paper gets it scaled down. */
const CHECKED_AT_DOTS = 576

export function logoOperations({
  logo,
}: ControlContext): Pick<ControlHandlers, 'logo.get' | 'logo.put' | 'logo.remove'> {
  return {
    'logo.get': () => {
      const png = logo.read()
      return { png: png === null ? null : Buffer.from(png).toString('base64') }
    },

    'logo.put': async ({ png }) => {
      const bytes = Buffer.from(png, 'base64')
      const { widthDots, heightDots } = await drawnLogo(bytes)
      logo.save(bytes)
      return { widthDots, heightDots }
    },

    'logo.remove': () => {
      logo.remove()
      return {}
    },
  }
}

/** A picture that cannot be drawn must not be found out by the first guest. */
export async function drawnLogo(png: Uint8Array): ReturnType<typeof logoBitmap> {
  try {
    return await logoBitmap(png, CHECKED_AT_DOTS)
  } catch {
    throw new ControlRefusal('invalid', 'png: must be a PNG picture that can be drawn in black and white', {
      said: { key: 'logo.bad-picture' },
    })
  }
}

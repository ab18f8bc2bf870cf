// Converts the restaurant's logo to black and white dots, for the top of receipts.
import { type Bitmap, rowBytes } from '#shared/tickets/bitmap.ts'
import { type GreyPicture, readPng } from './png.ts'

/** Maximum height of a logo: about 7 cm of paper. */
const MAX_HEIGHT_DOTS = 576

/**
 * Converts the picture to dots, with greys as patterns (Floyd-Steinberg). Scales down, never up, to at most `maxDots` wide and 576 high.
 * @throws Error with a message for people if it is no PNG, damaged, interlaced or too large: see png.ts
 */
export async function logoBitmap(png: Uint8Array, maxDots: number): Promise<Bitmap> {
  const picture = await readPng(png)
  const scale = Math.min(1, maxDots / picture.width, MAX_HEIGHT_DOTS / picture.height)
  return dithered(scaled(picture, scale))
}

/** Each dot is the mean of its area. */
function scaled(picture: GreyPicture, scale: number): GreyPicture {
  if (scale === 1) return picture
  const width = Math.max(1, Math.floor(picture.width * scale))
  const height = Math.max(1, Math.floor(picture.height * scale))
  const black = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    const [top, bottom] = areaOf(y, height, picture.height)
    for (let x = 0; x < width; x++) {
      const [left, right] = areaOf(x, width, picture.width)
      let sum = 0
      for (let row = top; row < bottom; row++) {
        for (let column = left; column < right; column++) sum += picture.black[row * picture.width + column] ?? 0
      }
      black[y * width + x] = Math.round(sum / ((bottom - top) * (right - left)))
    }
  }
  return { width, height, black }
}

function areaOf(index: number, count: number, size: number): [from: number, to: number] {
  const from = Math.floor((index * size) / count)
  return [from, Math.max(from + 1, Math.floor(((index + 1) * size) / count))]
}

/** Distributes the error of each dot to the neighbours that follow. */
function dithered({ width, height, black }: GreyPicture): Bitmap {
  const bitmap: Bitmap = { widthDots: width, heightDots: height, rows: new Uint8Array(0) }
  const bytes = rowBytes(bitmap)
  const rows = new Uint8Array(bytes * height)
  const wanted = Float32Array.from(black)
  const carry = (x: number, y: number, error: number): void => {
    if (x < 0 || x >= width || y >= height) return
    wanted[y * width + x] = (wanted[y * width + x] ?? 0) + error
  }
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const value = wanted[y * width + x] ?? 0
      const isBlack = value >= 128
      if (isBlack) {
        const at = y * bytes + (x >> 3)
        rows[at] = (rows[at] ?? 0) | (0x80 >> (x & 7))
      }
      const error = value - (isBlack ? 255 : 0)
      carry(x + 1, y, (error * 7) / 16)
      carry(x - 1, y + 1, (error * 3) / 16)
      carry(x, y + 1, (error * 5) / 16)
      carry(x + 1, y + 1, error / 16)
    }
  }
  return { ...bitmap, rows }
}

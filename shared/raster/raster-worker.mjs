// The drawing worker: gets SVG and fonts, returns the blackness of each dot. Plain JavaScript, since stripping types would double its start time.
import { parentPort, workerData } from 'node:worker_threads'
import { initWasm, Resvg } from '@resvg/resvg-wasm'

/** Sent fonts by their ids. @type {Map<number, Uint8Array>} */
const fonts = new Map()
const ready = initWasm(workerData)

/** @param {{ svg: string, faces: number[], fonts: { face: number, file: Uint8Array }[] }} job */
async function draw(job) {
  await ready
  for (const { face, file } of job.fonts) fonts.set(face, file)
  const fontBuffers = job.faces.map((face) => fonts.get(face)).filter((file) => file !== undefined)
  const resvg = new Resvg(job.svg, { font: { fontBuffers, loadSystemFonts: false } })
  const image = resvg.render()
  try {
    const { width, height, pixels } = image
    // Drawn in black on a transparent background, so the blackness of a dot is its alpha value, the last of four bytes.
    const dots = new Uint32Array(pixels.buffer, pixels.byteOffset, width * height)
    const black = new Uint8Array(dots.length)
    for (let i = 0; i < black.length; i++) black[i] = dots[i] >>> 24
    parentPort.postMessage({ width, height, black }, [black.buffer])
  } finally {
    image.free()
    resvg.free()
  }
}

parentPort.on('message', (job) => {
  draw(job).catch((error) => parentPort.postMessage({ error: String(error) }))
})

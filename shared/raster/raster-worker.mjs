// The worker that draws: SVG and fonts in, how black each dot is out. Plain JavaScript, since stripping types would double its start.
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
    // Black on transparent ground: how black a dot is, is its cover, the last of its four bytes.
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

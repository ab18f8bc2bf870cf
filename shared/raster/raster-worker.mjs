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
    const black = new Uint8Array(width * height)
    // On transparent ground: black by its cover, a grey or coloured dot the less the lighter it is.
    for (let i = 0, p = 0; i < black.length; i++, p += 4) {
      const light = (pixels[p] * 299 + pixels[p + 1] * 587 + pixels[p + 2] * 114) / 1000
      black[i] = Math.max(0, pixels[p + 3] - light)
    }
    parentPort.postMessage({ width, height, black }, [black.buffer])
  } finally {
    image.free()
    resvg.free()
  }
}

parentPort.on('message', (job) => {
  draw(job).catch((error) => parentPort.postMessage({ error: String(error) }))
})

import type { Page } from 'playwright-core'
import { z } from 'zod'

/**
 * A picture in PNG as small WebP, encoded by the browser of a page that shows nothing: in few colours without
 * loss, which keeps letters sharp, or with loss where that is smaller.
 */
export async function encode(page: Page, png: Buffer): Promise<Buffer> {
  const encoded = await page.evaluate(`(${encoding})(${JSON.stringify(png.toString('base64'))})`)
  return Buffer.from(z.string().parse(encoded), 'base64')
}

/** Areas have their own, letters and lines some steps on the way from one to the other. */
const colours = 48
const lossyQuality = 0.5

// The next colour is the one that would suffer most from the nearest of those before: by how far off it is, squared,
// and how often it occurs. So whatever has an area keeps its colour exactly.
const encoding = `async (png) => {
  const bitmap = await createImageBitmap(await (await fetch('data:image/png;base64,' + png)).blob())
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
  const context = canvas.getContext('2d', { willReadFrequently: true })
  context.drawImage(bitmap, 0, 0)
  const lossy = await canvas.convertToBlob({ type: 'image/webp', quality: ${lossyQuality} })
  const image = context.getImageData(0, 0, canvas.width, canvas.height)
  const pixels = new Uint32Array(image.data.buffer)
  const counts = new Map()
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1)
  const partsOf = (pixel) => [pixel & 255, (pixel >>> 8) & 255, (pixel >>> 16) & 255]
  const all = [...counts].map(([pixel, count]) => ({ pixel, count, parts: partsOf(pixel), shown: pixel, far: 1e6 }))
  for (let chosen = 0; chosen < ${colours}; chosen += 1) {
    const next = all.reduce((most, each) => (each.far * each.count > most.far * most.count ? each : most))
    for (const each of all) {
      const far = each.parts.reduce((sum, part, place) => sum + (part - next.parts[place]) ** 2, 0)
      if (far < each.far) Object.assign(each, { far, shown: next.pixel })
    }
  }
  const shown = new Map(all.map((each) => [each.pixel, each.shown]))
  pixels.forEach((pixel, place) => (pixels[place] = shown.get(pixel)))
  context.putImageData(image, 0, 0)
  const exact = await canvas.convertToBlob({ type: 'image/webp', quality: 1 })
  const smaller = exact.size < lossy.size ? exact : lossy
  return new Uint8Array(await smaller.arrayBuffer()).toBase64()
}`

import type { Picture, Reading } from './image-bytes.ts'
import { readJpeg } from './image-jpeg.ts'
import { readPng } from './image-png.ts'
import { readWebp } from './image-webp.ts'

export const imageKinds = ['logo', 'favicon'] as const
export type ImageKind = (typeof imageKinds)[number]

export const mediaTypes = ['image/png', 'image/jpeg', 'image/webp'] as const
export type MediaType = (typeof mediaTypes)[number]

/** Of a picture as it is sent and as it is kept. */
export const maxImageKb = 200
export const maxImageBytes = maxImageKb * 1024

/** In pixels, on each side. */
const sides = { logo: { least: 16, most: 2000 }, favicon: { least: 16, most: 512 } } as const

export type PageImage = Picture & { mediaType: MediaType }

/** What is known of a picture of a page beside its bytes, of which `size` is the number. `hash` names it in addresses. */
export type StoredImage = {
  hash: string
  mediaType: MediaType
  width: number
  height: number
  size: number
  alt: string
}

const extensions = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' } as const

/** The end of its address, below that of its page. */
export function imagePath({ hash, mediaType }: Pick<StoredImage, 'hash' | 'mediaType'>): string {
  return `/images/${hash}.${extensions[mediaType]}`
}

const forms: readonly { mediaType: MediaType; name: string; read: (bytes: Uint8Array) => Reading | null }[] = [
  { mediaType: 'image/png', name: 'PNG', read: readPng },
  { mediaType: 'image/jpeg', name: 'JPEG', read: readJpeg },
  { mediaType: 'image/webp', name: 'WebP', read: readWebp },
]

/** A picture of a page, whose type is what its bytes show; or a sentence that says why it is none. */
export function readPageImage(kind: ImageKind, bytes: Uint8Array): { image: PageImage } | { problem: string } {
  if (bytes.length > maxImageBytes)
    return { problem: `Must have at most ${maxImageKb} KB; this one has ${Math.ceil(bytes.length / 1024)}.` }
  for (const { mediaType, name, read } of forms) {
    const reading = read(bytes)
    if (reading === null) continue
    if (reading.is !== 'picture') return { problem: problems[reading.is](name) }
    const problem = sizeProblem(kind, reading.picture)
    return problem === null ? { image: { ...reading.picture, mediaType } } : { problem }
  }
  return { problem: 'Must be a PNG, JPEG or WebP picture.' }
}

const problems = {
  broken: (name: string) => `Is a broken ${name} picture.`,
  animated: (name: string) => `Is a moving ${name} picture; it must stand still.`,
  unusual: (name: string) => `Is a form of ${name} that not every browser shows. Save it as PNG.`,
} as const

function sizeProblem(kind: ImageKind, { width, height }: Picture): string | null {
  const { least, most } = sides[kind]
  if (Math.min(width, height) < least || Math.max(width, height) > most)
    return `Must be ${least} to ${most} pixels wide and high; this one is ${width} × ${height}.`
  if (kind === 'favicon' && width !== height) return `Must be as wide as it is high; this one is ${width} × ${height}.`
  return null
}

import { productOfImage } from './images.ts'
import type { Mention } from './manifest.ts'
import { unknownText } from './variables.ts'

/**
 * The product of an image such as `nginx:1.27.4-alpine@sha256:…`, by the table of images. Null for an image that is not
 * in it, whose name says nothing.
 */
export function imageMention(reference: string): Mention | null {
  const [name = ''] = reference.split('@')
  const colon = name.indexOf(':', name.lastIndexOf('/') + 1)
  const repository = colon === -1 ? name : name.slice(0, colon)
  const software = productOfImage(repository.toLowerCase())
  if (software === null) return null
  return { software, version: colon === -1 ? null : tagVersion(software, name.slice(colon + 1)) }
}

/** The version, or the release line, at the start of a tag; null for `latest` and for tags with only a date. */
function tagVersion(software: string, tag: string): string | null {
  if (tag.includes(unknownText)) return null
  const [first = ''] = tag.split('-')
  const codename = codenames.get(software)?.get(first)
  if (codename !== undefined) return codename
  if (/^RELEASE\.\d/.test(tag)) return tag
  const version = /^v?(\d{1,5}(?:\.\d+)*(?:[.-]?(?:alpha|beta|rc|a|b)\.?\d+)?)(?=$|[-_+.])/i.exec(tag)?.[1]
  return version ?? null
}

const codenames: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map([
  [
    'debian',
    new Map([
      ['jessie', '8'],
      ['stretch', '9'],
      ['buster', '10'],
      ['bullseye', '11'],
      ['bookworm', '12'],
      ['trixie', '13'],
    ]),
  ],
  [
    'ubuntu',
    new Map([
      ['trusty', '14.04'],
      ['xenial', '16.04'],
      ['bionic', '18.04'],
      ['focal', '20.04'],
      ['jammy', '22.04'],
      ['noble', '24.04'],
      ['plucky', '25.04'],
      ['questing', '25.10'],
    ]),
  ],
])

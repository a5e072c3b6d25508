import type { StatusHead } from '#core/status-pages/status-model.ts'
import type { Tone } from '#core/status-pages/status-standing.ts'
import { escapeHtml } from '#http/html-page.ts'
import { type ImageKind, type StoredImage, imagePath } from '#core/status-pages/page-image.ts'
import { type StatusAssets, accentStyle, statusAssetRoot } from './status-assets.ts'
import type { PageTexts } from './status-text.ts'

/** Where a page stands, as its links have to name it. */
export type StatusPlace = {
  /** How every address of the page begins: `/status/acme`, or nothing at a domain of its own. */
  base: string
  /** The page's own address, with its host: what feeds and other sites link to. */
  url: string
  /** Whether mail can be sent from here, so that readers can subscribe. */
  canSubscribe: boolean
  /** For its makers alone: nothing to be found, no script, and links that would leave the frame in which it stands. */
  isPreview?: boolean
  /** Of a preview, which stands where the addresses of pictures are not open: the pictures as `data:` addresses. */
  pictures?: Record<ImageKind, string | null>
  assets: StatusAssets
  /** The language of the page. */
  i18n: PageTexts
}

const shared = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
]

/** Nothing is in the page itself but what is read: no script, no style; and nothing is loaded from elsewhere. */
export const statusPolicy = [...shared, "frame-ancestors 'none'"].join('; ')
/** The policy of badges and embedded pages, which other sites frame. */
export const embedPolicy = [...shared, 'frame-ancestors *'].join('; ')

type Frame = {
  title: string
  tone: Tone
  /** Below `<body>`. */
  body: string
  className?: string
  hasFeeds?: boolean
}

/** What the document shows of a page; readers who are not let in yet see its theme alone. */
export type FrameHead = Pick<StatusHead, 'theme'> & Partial<Pick<StatusHead, 'accent' | 'favicon'>>

/** The document around a page; `place` says whose. */
export function frame(head: FrameHead, place: StatusPlace, { title, tone, ...of }: Frame): string {
  const { assets } = place
  const { accent = null, favicon = null } = head
  const theme = head.theme === 'auto' ? '' : ` data-theme="${head.theme}"`
  return [
    '<!doctype html>',
    `<html lang="${place.i18n.locale}"${theme}><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(title)}</title>`,
    `<link rel="stylesheet" href="${addressOf(assets.style)}">`,
    ...(accent === null ? [] : [`<link rel="stylesheet" href="${addressOf(accentStyle(accent))}">`]),
    favicon === null
      ? `<link rel="icon" href="${addressOf(assets.icons[tone])}" type="image/svg+xml">`
      : `<link rel="icon" href="${pictureAddress('favicon', favicon, place)}" type="${favicon.mediaType}">`,
    ...(of.hasFeeds === true ? feeds(place) : []),
    place.isPreview === true
      ? '<meta name="robots" content="noindex"><base target="_blank"></head>'
      : `<script src="${addressOf(assets.script)}" defer></script></head>`,
    `<body${of.className === undefined ? '' : ` class="${of.className}"`}>`,
    of.body,
    '</body></html>\n',
  ].join('\n')
}

/** Where the document finds a picture of its page. */
export function pictureAddress(kind: ImageKind, image: StoredImage, { base, pictures }: StatusPlace): string {
  return pictures?.[kind] ?? `${base}${imagePath(image)}`
}

function addressOf({ name }: { name: string }): string {
  return `${statusAssetRoot}/${name}`
}

function feeds({ base }: StatusPlace): string[] {
  return [
    `<link rel="alternate" type="application/atom+xml" title="Atom" href="${base}/feed.atom">`,
    `<link rel="alternate" type="application/rss+xml" title="RSS" href="${base}/feed.rss">`,
  ]
}

/** Where the page itself is. */
export function rootOf({ base }: Pick<StatusPlace, 'base'>): string {
  return base === '' ? '/' : base
}

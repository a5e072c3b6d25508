import type { StatusHead } from '#core/status-pages/status-model.ts'
import type { Tone } from '#core/status-pages/status-standing.ts'
import { escapeHtml } from '#http/html-page.ts'
import { type ImageKind, type StoredImage, imagePath } from '#core/status-pages/page-image.ts'
import { type StatusAssets, accentStyle, statusAssetRoot } from './status-assets.ts'
import { type PageLanguage, languageOf, pageLanguages } from '#core/status-pages/page-languages.ts'
import type { PageTexts } from '#core/status-pages/page-texts.ts'

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
  /** The language in which it is read, and its texts. */
  language: PageLanguage
  i18n: PageTexts
  /** The language that a reader chose in place of the page's own; links keep it. */
  chosen: PageLanguage | null
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
  /** Of a page with feeds that can be had in other languages: where it is, below the address of all of them. */
  path?: string
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
    ...(of.path === undefined ? [] : feeds(place)),
    ...(of.path === undefined || place.isPreview === true ? [] : alternates(place, of.path)),
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

function feeds(place: StatusPlace): string[] {
  return [
    `<link rel="alternate" type="application/atom+xml" title="Atom" href="${linkTo(place, '/feed.atom')}">`,
    `<link rel="alternate" type="application/rss+xml" title="RSS" href="${linkTo(place, '/feed.rss')}">`,
  ]
}

/** What search engines are told of its languages. */
function alternates({ url }: StatusPlace, path: string): string[] {
  const usual = path === '' ? url : `${url.replace(/\/$/, '')}${path}`
  const named = pageLanguages.map((language) => [languageOf(language).locale, withLanguage(usual, language)] as const)
  return [...named, ['x-default', usual] as const].map(
    ([locale, address]) => `<link rel="alternate" hreflang="${locale}" href="${escapeHtml(address)}">`,
  )
}

/** Where something of the page is, as HTML; `path` is empty for the page itself. */
export function linkTo({ base, chosen }: Pick<StatusPlace, 'base' | 'chosen'>, path: string): string {
  return escapeHtml(withLanguage(`${base}${path}` === '' ? '/' : `${base}${path}`, chosen))
}

/** An address that names the language, where one was chosen. */
export function withLanguage(address: string, chosen: PageLanguage | null): string {
  if (chosen === null) return address
  return `${address}${address.includes('?') ? '&' : '?'}lang=${chosen}`
}

/** The languages of a page, each by its own name. `path`: as of `linkTo`. */
export function languageMenu({ base, language, i18n }: StatusPlace, path: string): string {
  const items = pageLanguages.map((each) => {
    const { locale, name } = languageOf(each)
    const current = each === language ? ' aria-current="true"' : ''
    return `<li><a href="${linkTo({ base, chosen: each }, path)}" lang="${locale}"${current}>${name}</a></li>`
  })
  return `<nav class="lg" aria-label="${escapeHtml(i18n._('Language'))}"><ul>${items.join('')}</ul></nav>`
}

import { type Detection, cleanVersion, mergeDetections } from './detection.ts'
import { libraryRules } from './library-rules.ts'
import { type PageRule, pageRules } from './page-rules.ts'
import { readAssets } from './script-packages.ts'
import { readServerHeader } from './server-software.ts'
import type { WebPage } from './web-page.ts'
import { readWordPress } from './wordpress.ts'

const serverHeaders = { server: 'Server', 'x-powered-by': 'X-Powered-By' } as const

/** All software that one answer shows, each product once. Never throws. */
export function readSoftware(page: WebPage): Detection[] {
  const listed = Object.entries(serverHeaders).flatMap(([name, shown]) => {
    const value = page.headers[name]
    return value === undefined ? [] : readServerHeader(shown, value)
  })
  const ruled = pageRules.flatMap((rule) => placesOf(rule, page).flatMap((place) => applied(rule, place)))
  return mergeDetections([
    ...listed,
    ...ruled,
    ...readAssets([...page.scripts, ...page.styles]),
    ...readWordPress(page),
  ])
}

/** Libraries name themselves where their files begin. */
const bannerLength = 4096

export function readScript(address: URL, content: string): Detection[] {
  const banner = content.slice(0, bannerLength)
  const evidence = `content of ${address.origin}${address.pathname}`.slice(0, 300)
  return libraryRules.flatMap(({ name, contents }) => {
    const version = contents.map((pattern) => pattern.exec(banner)?.[1]).find((found) => found !== undefined)
    return version === undefined ? [] : [{ product: `npm:${name}`, version: cleanVersion(version), evidence }]
  })
}

type Place = { text: string; evidence: string }

function placesOf(rule: PageRule, page: WebPage): Place[] {
  switch (rule.where) {
    case 'header': {
      const value = page.headers[rule.name]
      return value === undefined ? [] : [{ text: value.slice(0, 1000), evidence: `${rule.name} header` }]
    }
    case 'cookie':
      return page.cookies.map((text) => ({ text, evidence: `cookie ${text}` }))
    case 'generator':
      return page.generators.map((text) => ({ text, evidence: `generator ${text.slice(0, 200)}` }))
    case 'body':
      return [{ text: page.body, evidence: `page ${page.url.pathname.slice(0, 200)}` }]
    case 'asset':
      return [...page.scripts, ...page.styles].map(({ pathname }) => ({
        text: pathname,
        evidence: `address ${pathname}`.slice(0, 300),
      }))
  }
}

function applied({ product, pattern }: PageRule, { text, evidence }: Place): Detection[] {
  const match = pattern.exec(text)
  if (match === null) return []
  const version = match.slice(1).find((group) => group !== undefined)
  return [{ product, version: cleanVersion(version), evidence }]
}

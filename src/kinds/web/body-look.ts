import { createHash } from 'node:crypto'
import { createKeywordSearch, type KeywordSearch } from './keyword-search.ts'

/** What was found in a body; null for what was not looked for. */
export type BodyFindings = {
  hasKeyword: boolean | null
  hasAbsentKeyword: boolean | null
  /** In lower-case hexadecimal digits, of the decoded body. */
  sha256: string | null
}

export const noFindings: BodyFindings = { hasKeyword: null, hasAbsentKeyword: null, sha256: null }

/** Looks at a body piece by piece, so that none of it is kept. */
export type BodyLook = {
  /** True once the rest of the body can change nothing. */
  look: (piece: Uint8Array, headers: Readonly<Record<string, string>>) => boolean
  /** The final word, after the last piece. */
  findings: () => BodyFindings
}

export type BodyWishes = { keyword: string | null; absentKeyword: string | null; isHashed: boolean }

/** Null where there is nothing to look for: an empty text is in every body. */
export function createBodyLook({ keyword, absentKeyword, isHashed }: BodyWishes): BodyLook | null {
  const wanted = searchFor(keyword)
  const unwanted = searchFor(absentKeyword)
  if (wanted === null && unwanted === null && !isHashed) return null
  const hash = isHashed ? createHash('sha256') : null
  return {
    look: (piece, headers) => {
      hash?.update(piece)
      const isWantedFound = wanted?.look(piece, headers) ?? true
      const isUnwantedFound = unwanted?.look(piece, headers) ?? true
      return hash === null && isWantedFound && isUnwantedFound
    },
    findings: () => ({
      hasKeyword: wanted?.isFound() ?? null,
      hasAbsentKeyword: unwanted?.isFound() ?? null,
      sha256: hash?.digest('hex') ?? null,
    }),
  }
}

function searchFor(text: string | null): KeywordSearch | null {
  return text === null || text === '' ? null : createKeywordSearch(text)
}

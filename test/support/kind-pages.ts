import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'

/** The page of a kind in docs/kinds. */
export function pageOf(kind: string): string {
  const page = new URL(`../../docs/kinds/${kind}.md`, import.meta.url)
  assert.ok(existsSync(page), `docs/kinds/${kind}.md is missing: every kind has a page`)
  return readFileSync(page, 'utf8')
}

const example = z.looseObject({
  name: z.string(),
  kind: z.string(),
  check_options: z.record(z.string(), z.unknown()).optional(),
})
export type PageExample = z.infer<typeof example>

/** The body of the request to POST /monitors that the page shows. */
export function exampleOf(kind: string): PageExample {
  const [, json] = /\/monitors \\\n(?:.*\\\n)*? {2}-d '(\{[^']*\})'/.exec(pageOf(kind)) ?? []
  assert.ok(json !== undefined, `docs/kinds/${kind}.md shows no request that creates a monitor`)
  return example.parse(JSON.parse(json))
}

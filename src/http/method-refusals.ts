import type { Hono } from 'hono'
import { fail } from '#core/language/error.ts'
import { errorReply } from '#operations/pipeline/reply.ts'
import type { HttpEnv } from './environment.ts'
import { asPreferredRefusal } from './problem.ts'
import { toResponse } from './response.ts'

/** Answers 405 with Allow at every path that is served with other methods. Call it after all routes were added. */
export function addMethodRefusals(app: Hono<HttpEnv>, publicUrl: string): void {
  for (const [path, methods] of methodsByPath(app)) {
    const allow = [...methods, ...(methods.has('GET') ? ['HEAD'] : [])].toSorted().join(', ')
    app.all(path, ({ req }) => {
      const refusal = errorReply(fail('method_not_allowed', `This address only allows ${allow}.`), publicUrl)
      const asked = { accept: req.header('accept'), publicUrl }
      return toResponse(asPreferredRefusal({ ...refusal, headers: { ...refusal.headers, Allow: allow } }, asked))
    })
  }
}

function methodsByPath(app: Hono<HttpEnv>): Map<string, Set<string>> {
  const paths = new Map<string, Set<string>>()
  for (const { path, method } of app.routes)
    if (method !== 'ALL') paths.set(path, (paths.get(path) ?? new Set()).add(method))
  return paths
}

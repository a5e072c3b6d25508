import { z } from 'zod'
import type { AnyOperation, Reply } from '#operations/pipeline/operation.ts'
import { madePaths } from '#operations/pipeline/made-paths.ts'

const made = z.object({ data: z.object({ id: z.uuid() }) })

type Made = { operation: AnyOperation; reply: Reply; path: Readonly<Record<string, string>> }

/** Adds to a 201 where the thing is that was made (RFC 9110 10.2.2). `root` has no final slash. */
export function createNamingMade(operations: readonly AnyOperation[], root: string): (made: Made) => Reply {
  const paths = madePaths(operations)
  return ({ operation, reply, path }) => {
    const template = reply.status === 201 ? paths.get(operation) : undefined
    const read = template === undefined ? null : made.safeParse(reply.body)
    if (template === undefined || read?.success !== true) return reply
    const names = Array.from(template.matchAll(/\{(\w+)\}/g), ([, name = '']) => name)
    const values = { ...path, [names.at(-1) ?? '']: read.data.data.id }
    const filled = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
    return { ...reply, headers: { ...reply.headers, Location: `${root}${filled}` } }
  }
}

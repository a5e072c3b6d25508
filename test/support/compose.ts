// Reads deploy/compose.yaml as Docker would take it.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { CORE_SCHEMA, load, mergeTag } from 'js-yaml'
import { z } from 'zod'

const file = z.object({ file: z.string() })
const service = z.looseObject({
  image: z.string(),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).default({}),
  secrets: z.array(z.string()).default([]),
  networks: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  read_only: z.boolean().default(false),
  cap_drop: z.array(z.string()).default([]),
  security_opt: z.array(z.string()).default([]),
  user: z.string().optional(),
  healthcheck: z.looseObject({ test: z.array(z.string()) }).optional(),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  deploy: z
    .looseObject({
      replicas: z.int().default(1),
      resources: z.looseObject({ limits: z.object({ cpus: z.string(), memory: z.string() }) }),
    })
    .optional(),
})
const compose = z.looseObject({
  services: z.record(z.string(), service),
  networks: z.record(z.string(), z.looseObject({ internal: z.boolean().optional() })),
  volumes: z.record(z.string(), z.looseObject({})),
  secrets: z.record(z.string(), file),
})
export type Compose = z.infer<typeof compose>
export type ComposeService = z.infer<typeof service>

export const deployFolder = fileURLToPath(new URL('../../deploy/', import.meta.url))

export function readCompose(): Compose {
  return compose.parse(
    load(readFileSync(`${deployFolder}compose.yaml`, 'utf8'), { schema: CORE_SCHEMA.withTags(mergeTag) }),
  )
}

/** `${NAME:-default}` and `${NAME:?problem}`, with nothing set but what is given. */
export function substituted(text: string, given: Readonly<Record<string, string>> = {}): string {
  let whole = text
  for (const [found, name = '', kind, rest = ''] of text.matchAll(/\$\{([A-Z_]+):([-?])([^}]*)\}/g)) {
    const set = given[name] ?? ''
    if (set === '' && kind === '?') throw new Error(`${name}: ${rest}`)
    whole = whole.replace(found, set === '' ? rest : set)
  }
  return whole
}

/** Services that run this project, by the role that they have. */
export function rolesOf({ services }: Compose): { name: string; role: string; service: ComposeService }[] {
  return Object.entries(services).flatMap(([name, each]) => {
    const [role] = each.command ?? []
    return each.image.startsWith('perigee:') && role !== undefined ? [{ name, role, service: each }] : []
  })
}

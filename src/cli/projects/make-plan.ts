import { z } from 'zod'
import { type Secret, setSecrets } from '#core/projects/entry-secrets.ts'
import type { WorkspaceExport } from '#core/projects/export-record.ts'
import { type Plan, planOf, withSecrets } from '#core/projects/plan.ts'
import type { PresentEntry } from '#core/projects/present.ts'
import type { Project } from '#core/projects/project.ts'
import { maxComparedObjects, maxComparedSecrets } from '#core/projects/secret-comparison.ts'
import { secretOptionsOf } from '#operations/projects/secret-options.ts'
import { StartError } from '#store/database/start-error.ts'
import type { Service } from '#cli/service.ts'
import { pacedService } from './paced-service.ts'

/** `isWhole`: secrets were compared too, which a token of the read scope cannot. */
export type MadePlan = { plan: Plan; isWhole: boolean }

type Making = { project: Project; workspace: WorkspaceExport; adopts: boolean; onWait: (seconds: number) => void }

/** How a workspace differs from the files of a project, in its secrets as well. */
export async function makePlan(service: Service, { project, workspace, adopts, onWait }: Making): Promise<MadePlan> {
  const plan = planOf(project, workspace, { adopts, secretOptions: secretOptionsOf })
  const asked = plan.pairs.flatMap(({ entry, present }): Asked[] => {
    const secrets = setSecrets(entry, present, secretOptionsOf)
    return secrets.length === 0 ? [] : [{ present, secrets }]
  })
  const paced = pacedService(service, onWait)
  const differing = new Map<PresentEntry, string[]>()
  for (const part of inParts(asked)) {
    const objects = part.map(({ present: { section, id }, secrets }) => ({ section, id, secrets }))
    const outcome = await paced.ask({ method: 'POST', path: 'export/compare-secrets', body: { objects } })
    if (outcome.type === 'refused' && outcome.status === 403) return { plan, isWhole: false }
    if (outcome.type !== 'done') throw new StartError(outcome.problem)
    const found = new Map(answerSchema.parse(outcome.body).data.map(({ id, differ }) => [id, differ]))
    for (const { present } of part) {
      const paths = found.get(present.id) ?? []
      differing.set(
        present,
        paths.map((path) => path.join('.')),
      )
    }
  }
  return { plan: withSecrets(plan, differing), isWhole: true }
}

const answerSchema = z.object({ data: z.array(z.object({ id: z.string(), differ: z.array(z.array(z.string())) })) })

/** Of JSON; a request has 1 MB. */
const maxPartLength = 800_000

type Asked = { present: PresentEntry; secrets: readonly Secret[] }

/** As many as fit into one request. */
function inParts(items: readonly Asked[]): Asked[][] {
  const parts: Asked[][] = []
  let room = { length: 0, secrets: 0 }
  for (const item of items) {
    const length = Buffer.byteLength(JSON.stringify(item.secrets)) + 200
    const last = parts.at(-1)
    const fits = length <= room.length && item.secrets.length <= room.secrets
    if (last !== undefined && fits && last.length < maxComparedObjects) last.push(item)
    else {
      parts.push([item])
      room = { length: maxPartLength, secrets: maxComparedSecrets }
    }
    room = { length: room.length - length, secrets: room.secrets - item.secrets.length }
  }
  return parts
}

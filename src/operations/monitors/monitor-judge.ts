import type { Fields } from '#core/language/error.ts'
import { inputProblems } from '#core/monitors/monitor-input.ts'
import { monitorInputSchema } from '#core/monitors/monitor.ts'
import type { Judged, JudgeContext } from '#operations/pipeline/operation.ts'
import { parse } from '#operations/pipeline/validation.ts'
import { surroundCurrent, surroundNew } from './monitor-price.ts'
import { mayAllowPrivateTarget } from './private-target.ts'

const partSchema = monitorInputSchema.partial()

/** What a create, or its quote, would find wrong with an input beyond its schema. */
export async function judgeCreate(context: JudgeContext, { body, refused }: Judged<unknown>): Promise<Fields> {
  const { caller, services } = context
  const part = parse(partSchema, body)
  if (!part.ok) return {}
  const buyer =
    caller === null
      ? { workspaceId: null, isStranger: true, services }
      : {
          workspaceId: caller.workspaceId,
          isStranger: false,
          services,
          mayAllowPrivateTarget: await mayAllowPrivateTarget({ caller, services }),
        }
  return services.database.transaction(async (tx) => {
    const { surroundings } = await surroundNew(tx, buyer, part.value)
    return inputProblems(part.value, null, { ...surroundings, refused })
  })
}

/** The same for a change, or its quote. */
export async function judgeChange(
  context: JudgeContext,
  { body, refused, target }: Judged<{ id: string }>,
): Promise<Fields> {
  const { caller, services } = context
  const part = parse(partSchema, body)
  if (!part.ok || caller === null) return {}
  const { workspaceId } = caller
  const mayAllow = await mayAllowPrivateTarget({ caller, services })
  const changer = { workspaceId, services, monitorId: target.id, mayAllowPrivateTarget: mayAllow }
  return services.database.transaction(async (tx) => {
    const { surroundings, current } = await surroundCurrent(tx, changer, part.value)
    return inputProblems(part.value, current.settings, { ...surroundings, refused })
  })
}

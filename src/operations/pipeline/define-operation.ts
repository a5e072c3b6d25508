import { changedFields } from './changed-fields.ts'
import { type ChangeNote, recordChange } from './change-record.ts'
import { ownNew } from './own-new.ts'
import { type Judge, readIds, readInput, undeclared } from './input.ts'
import {
  actorOf,
  type Call,
  type Input,
  type JudgeContext,
  type Operation,
  type PersonOperation,
  type PersonVerb,
  type Reply,
  type WorkspaceVerb,
} from './operation.ts'

export function defineOperation<Query, Body, Target>(operation: Operation<Query, Body, Target>): WorkspaceVerb {
  const { find, judge, run, runForStranger, countsAs, ...description } = operation
  const names = pathNames(operation)
  return {
    surface: 'api',
    ...description,
    actsFor: 'workspace',
    perform: async (call, request) => {
      const path = readIds(request.path)
      const reading = { ...call, noteChange: () => {} }
      // Without its name there is no target to find; the request is refused for that, and for what else can be told.
      const isNameless = names.some((name) => request.argumentProblems?.[name] !== undefined)
      const target = find === undefined || isNameless ? undeclared<Target>().value : await find(reading, path)
      const judging = judge === undefined || isNameless ? null : judgeWith(judge, call, target)
      const input = { path, target, ...(await readInput(operation, request, judging)) }
      const more = (countsAs?.(input.body) ?? 1) - 1
      if (more > 0) await call.countMore?.(more)
      if (operation.method === 'GET' || operation.changesNothing === true) return run(reading, input)
      return runRecorded(operation, call, input)
    },
    performForStranger:
      runForStranger === undefined
        ? null
        : async (context, request) => {
            const path = readIds(request.path)
            const { value: target } = undeclared<Target>()
            const judging = judge === undefined ? null : judgeWith(judge, { ...context, caller: null }, target)
            return runForStranger(context, {
              path,
              target: undefined,
              ...(await readInput(operation, request, judging)),
            })
          },
  }
}

/** The members of a path, such as `id`. */
export function pathNames({ path }: { path: string }): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
}

function judgeWith<Target>(
  judge: NonNullable<Operation<unknown, unknown, Target>['judge']>,
  { caller, now, services }: JudgeContext,
  target: Target,
): Judge {
  return (body, refused) => judge({ caller, now, services }, { body, refused, target })
}

export function definePersonOperation<Query, Body>(operation: PersonOperation<Query, Body>): PersonVerb {
  const { run, ...description } = operation
  return {
    ...description,
    actsFor: 'person',
    surface: 'console',
    scope: 'read',
    perform: async (context, request) => {
      const path = readIds(request.path)
      return run(context, { path, target: undefined, ...(await readInput(operation, request)) })
    },
  }
}

async function runRecorded<Query, Body, Target>(
  { name: action, subject = 'workspace', makes, run }: Operation<Query, Body, Target>,
  call: Call,
  input: Input<Query, Body, Target>,
): Promise<Reply> {
  const { caller, now: at, services } = call
  const { workspaceId } = caller
  const actor = actorOf(caller)
  const { projectKey } = input
  const beside =
    makes === undefined || projectKey === null ? null : ownNew({ workspaceId, section: makes, ...projectKey })
  const change = { workspaceId, actor, action, subject, at, known: knownOf(input) }
  const record = recordChange(services.database, change, beside)
  const context = { ...call, services: { ...services, database: record.database }, noteChange: record.note }
  const reply = await run(context, input)
  await record.finish()
  return reply
}

/** The target's id and name, and the names of the fields that were changed; their values may be secret. */
function knownOf({ path, target, body }: Input<unknown, unknown, unknown>): ChangeNote {
  const name = nameOf(target) ?? nameOf(body)
  return {
    ...(path['id'] === undefined ? {} : { id: path['id'] }),
    ...(name === null ? {} : { name }),
    details: typeof body === 'object' && body !== null ? { fields: changedFields(body, target) } : {},
  }
}

function nameOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null
  if ('monitor_name' in value && typeof value.monitor_name === 'string') return value.monitor_name
  return 'name' in value && typeof value.name === 'string' ? value.name : null
}

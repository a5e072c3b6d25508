import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { consoleLink } from '#core/people/person-mail.ts'
import { folderHolder } from '#store/embedded/data-folder.ts'
import type { Database } from '#store/database/database.ts'
import { setUpHours } from '#store/people/set-up-links.ts'
import { type Workspace, createWorkspace, listWorkspaces } from '#store/workspaces/workspaces.ts'
import { type Config, httpAddress, readConfig } from '#config/config.ts'
import { asksForHelp, readArguments } from './arguments.ts'
import { usageOf } from './definitions/definition.ts'
import { workspaceDefinition } from './definitions/owning.ts'
import { findWorkspace } from './find-workspace.ts'
import { withDatabase } from './operator-database.ts'
import { table } from './table.ts'
import { type Terminal, UsageError } from './terminal.ts'
import { makeSetUpToken, putOnPlan } from './workspace-plan.ts'
import { type ClosingOrder, changeClosing } from './workspace-closing.ts'

const usage = usageOf(workspaceDefinition)

type Order =
  | { verb: 'list'; isJson: boolean }
  | { verb: 'create'; name: string; plan: string }
  | { verb: 'plan'; workspace: string; plan: string }
  | { verb: 'setup-link'; workspace: string | null }
  | ClosingOrder

export async function runWorkspace(argv: readonly string[], terminal: Terminal): Promise<number> {
  if (asksForHelp(argv)) {
    terminal.out.write(usage)
    return 0
  }
  const order = readOrder(argv)
  const config = readConfig()
  if ('plan' in order && !Object.hasOwn(config.plans, order.plan))
    throw new UsageError(
      `There is no plan ${JSON.stringify(order.plan)}. The plans are ${Object.keys(config.plans).join(', ')}.`,
      usage,
    )
  await withDatabase(config, (database) => carryOut(order, { database, config }, terminal))
  return 0
}

function readOrder(argv: readonly string[]): Order {
  const { values, positionals } = readArguments(argv, workspaceDefinition.options, usage)
  const [verb, first, second, ...more] = positionals
  if (values.plan !== undefined && verb !== 'create') throw new UsageError('--plan only works with create.', usage)
  if (values.json === true && verb !== 'list') throw new UsageError('--json only works with list.', usage)
  if (verb === 'list' && first === undefined) return { verb, isJson: values.json ?? false }
  if (verb === 'create' && first !== undefined && second === undefined)
    return { verb, name: nameOf(first), plan: values.plan ?? 'free' }
  if (verb === 'plan' && first !== undefined && second !== undefined && more.length === 0)
    return { verb, workspace: first, plan: second }
  if (verb === 'setup-link' && second === undefined) return { verb, workspace: first ?? null }
  if ((verb === 'revoke' || verb === 'restore') && first !== undefined && second === undefined)
    return { verb, workspaceId: idOf(first) }
  throw new UsageError('Name an action and what it needs, as shown below.', usage)
}

type Setting = { database: Database; config: Config }

async function carryOut(order: Order, { database, config }: Setting, { out, err }: Terminal): Promise<void> {
  switch (order.verb) {
    case 'list':
      out.write(listed(await listWorkspaces(database), order.isJson))
      return
    case 'create': {
      const id = randomUUID()
      await createWorkspace(database, { id, name: order.name, plan: order.plan })
      err.write(`The workspace ${JSON.stringify(order.name)} is on the plan ${order.plan}:\n`)
      out.write(`${id}\n`)
      return
    }
    case 'plan': {
      const workspace = await findWorkspace(database, order.workspace)
      const rules = config.plans[order.plan]
      if (rules === undefined) throw new Error(`The plan ${order.plan} was known a moment ago.`)
      out.write(await putOnPlan(database, { workspace, plan: order.plan, rules }, new Date()))
      return
    }
    case 'setup-link': {
      const workspace = await findWorkspace(database, order.workspace)
      const token = await makeSetUpToken(database, workspace, new Date())
      err.write(
        `The person who opens this link becomes an owner of ${JSON.stringify(workspace.name)}. It works once, for ${setUpHours} hours:\n`,
      )
      out.write(`${consoleLink(publicUrlOf(config), 'set_up', { token })}\n`)
      return
    }
    case 'revoke':
    case 'restore':
      out.write(await changeClosing(database, order, new Date()))
  }
}

function listed(workspaces: readonly Workspace[], isJson: boolean): string {
  if (isJson) return `${JSON.stringify({ workspaces: workspaces.map(jsonOf) })}\n`
  const rows = workspaces.map(({ id, plan, createdAt, closedReason, name }) => [
    id,
    plan,
    closedReason ?? 'open',
    createdAt.toISOString().slice(0, 10),
    name,
  ])
  return table(['ID', 'PLAN', 'STATE', 'CREATED', 'NAME'], rows)
}

function jsonOf({ id, name, plan, createdAt, closedReason }: Workspace) {
  return { id, name, plan, state: closedReason ?? 'open', created_at: createdAt }
}

/** As the service itself would say it: on port 0 only the running one knows. */
function publicUrlOf({ publicUrl, databaseUrl, dataFolder, host, port }: Config): string {
  const running = databaseUrl === null ? (folderHolder(dataFolder)?.address ?? null) : null
  return publicUrl ?? running ?? httpAddress(host, port)
}

/** Names are not unique, and this is no order to be misunderstood. */
function idOf(text: string): string {
  if (!z.uuid().safeParse(text).success)
    throw new UsageError('Give the id of a workspace. "perigee workspace list" shows them.', usage)
  return text.toLowerCase()
}

function nameOf(text: string): string {
  const name = text.trim()
  if (name.length < 1 || name.length > 160) throw new UsageError('A name must have 1 to 160 characters.', usage)
  return name
}

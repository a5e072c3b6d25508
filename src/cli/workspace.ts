import { randomUUID } from 'node:crypto'
import type { Database } from '#store/database.ts'
import { StartError } from '#store/start-error.ts'
import { createWorkspace, listWorkspaces, setWorkspacePlan } from '#store/workspaces.ts'
import { readConfig } from '../config.ts'
import { asksForHelp, readArguments } from './arguments.ts'
import { findWorkspace } from './find-workspace.ts'
import { withDatabase } from './operator-database.ts'
import { table } from './table.ts'
import { type Terminal, UsageError } from './terminal.ts'

const usage = `perigee workspace list
perigee workspace create <name> [--plan <plan>]
perigee workspace plan <id or name> <plan>

A new workspace is on the plan "free" unless another is given. All work while the service runs and while it does not.
`

type Order =
  | { verb: 'list' }
  | { verb: 'create'; name: string; plan: string }
  | { verb: 'plan'; workspace: string; plan: string }

export async function runWorkspace(argv: readonly string[], terminal: Terminal): Promise<number> {
  if (asksForHelp(argv)) {
    terminal.out.write(usage)
    return 0
  }
  const order = readOrder(argv)
  const config = readConfig()
  if ('plan' in order && !Object.hasOwn(config.plans, order.plan))
    throw new UsageError(
      `There is no plan ${JSON.stringify(order.plan)}; there are ${Object.keys(config.plans).join(', ')}.`,
      usage,
    )
  await withDatabase(config, (database) => carryOut(order, database, terminal))
  return 0
}

function readOrder(argv: readonly string[]): Order {
  const { values, positionals } = readArguments(argv, { plan: { type: 'string' } }, usage)
  const [verb, first, second, ...more] = positionals
  if (values.plan !== undefined && verb !== 'create') throw new UsageError('--plan belongs to create.', usage)
  if (verb === 'list' && first === undefined) return { verb }
  if (verb === 'create' && first !== undefined && second === undefined)
    return { verb, name: nameOf(first), plan: values.plan ?? 'free' }
  if (verb === 'plan' && first !== undefined && second !== undefined && more.length === 0)
    return { verb, workspace: first, plan: second }
  throw new UsageError('That is no command for workspaces.', usage)
}

async function carryOut(order: Order, database: Database, { out, err }: Terminal): Promise<void> {
  switch (order.verb) {
    case 'list': {
      const workspaces = await listWorkspaces(database)
      const rows = workspaces.map(({ id, plan, createdAt, name }) => [
        id,
        plan,
        createdAt.toISOString().slice(0, 10),
        name,
      ])
      out.write(table(['ID', 'PLAN', 'CREATED', 'NAME'], rows))
      return
    }
    case 'create': {
      const id = randomUUID()
      await createWorkspace(database, { id, name: order.name, plan: order.plan })
      err.write(`The workspace ${JSON.stringify(order.name)} is on the plan ${order.plan}:\n`)
      out.write(`${id}\n`)
      return
    }
    case 'plan': {
      const { id, name } = await findWorkspace(database, order.workspace)
      if (!(await setWorkspacePlan(database, id, order.plan))) throw new StartError(`The workspace ${id} is gone.`)
      out.write(`The workspace ${JSON.stringify(name)} is on the plan ${order.plan}.\n`)
    }
  }
}

function nameOf(text: string): string {
  const name = text.trim()
  if (name.length < 1 || name.length > 160) throw new UsageError('A name has 1 to 160 characters.', usage)
  return name
}

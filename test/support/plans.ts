// The plans that PostgreSQL really ran, told by its own auto_explain: of statements as they are sent, prepared or not.
import assert from 'node:assert/strict'
import type { PoolClient } from 'pg'
import { z } from 'zod'
import type { Database } from '#store/database/database.ts'

/** One step of a plan and what is below it. */
export type PlanNode = {
  'Node Type': string
  'Relation Name'?: string | undefined
  'Index Name'?: string | undefined
  /** How often it ran; 0 where it was never needed. */
  'Actual Loops': number
  Plans?: PlanNode[] | undefined
}

export type Explained = { statement: string; nodes: PlanNode[] }

const nodeSchema: z.ZodType<PlanNode> = z.object({
  'Node Type': z.string(),
  'Relation Name': z.string().optional(),
  'Index Name': z.string().optional(),
  'Actual Loops': z.number(),
  get Plans() {
    return z.array(nodeSchema).optional()
  },
})
const explanation = z.object({ 'Query Text': z.string(), Plan: nodeSchema })

/** Runs `work` and returns the plans of its statements. The pools of the database have one connection each. */
export async function explain(database: Database, work: () => Promise<unknown>): Promise<Explained[]> {
  const plans: Explained[] = []
  const note = ({ message = '' }: { message?: string | undefined }): void => {
    const start = message.indexOf('{')
    if (!message.startsWith('duration:') || start === -1) return
    const { 'Query Text': statement, Plan: root } = explanation.parse(JSON.parse(message.slice(start)))
    plans.push({ statement, nodes: all(root) })
  }
  const clients: PoolClient[] = []
  for (const pool of [database.pool, database.planned]) {
    const client = await pool.connect()
    client.on('notice', note)
    await client.query(settings)
    client.release()
    clients.push(client)
  }
  await work()
  for (const client of clients) {
    client.off('notice', note)
    await client.query('set auto_explain.log_min_duration = -1')
  }
  assert.ok(plans.length > 0)
  return plans
}

const settings = `
load 'auto_explain';
set auto_explain.log_min_duration = 0;
set auto_explain.log_analyze = on;
set auto_explain.log_timing = off;
set auto_explain.log_nested_statements = on;
set auto_explain.log_format = json;
set client_min_messages = log`

function all(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(all)]
}

// Calls that prepare a story: they are made as the console's own pages make them, with the session of the signed-in
// person.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { z } from 'zod'

const workspacesSchema = z.object({ data: z.tuple([z.object({ id: z.string() })]) })
const answeredSchema = z.object({ data: z.object({ id: z.string() }) })

/** The id of the only workspace of the signed-in person. */
export async function workspaceIdOf(page: Page): Promise<string> {
  const mine = await page.request.get('/api/v1/workspaces', { headers: { 'X-Perigee-Workspace': 'mine' } })
  return workspacesSchema.parse(await mine.json()).data[0].id
}

/** In the person's only workspace. Answers with the id of what was made, "" for an empty answer. */
export function callerOf(page: Page): (method: string, path: string, body?: unknown) => Promise<{ id: string }> {
  return async (method, path, body) => {
    const headers = { 'X-Perigee-Workspace': await workspaceIdOf(page), Origin: new URL(page.url()).origin }
    const sent = body === undefined ? {} : { data: body }
    const answer = await page.request.fetch(`/api/v1${path}`, { method, headers, ...sent })
    assert.ok(answer.ok(), `${method} ${path}: ${answer.status()} ${await answer.text()}`)
    return answer.status() === 204 ? { id: '' } : answeredSchema.parse(await answer.json()).data
  }
}
